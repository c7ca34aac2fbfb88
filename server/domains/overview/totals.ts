// Adds up the newest matches of a search in windows, so that no call reads an unbounded number of rows.

import { inTurn } from "@/server/fairness/turns";
import type { CallRequest } from "@/server/kit/context";
import { protocolFailure } from "@/server/kit/errors";
import { limits } from "@/server/kit/limits";
import type { Source, Stretch } from "@/server/kit/look-through";
import type { Position } from "@/server/kit/page";
import type { Span } from "./period";

/** What the windows yielded, and whether they covered the whole time span. */
export interface Totals<T> {
  found: T[];
  isComplete: boolean;
}

/**
 * Runs `total` on the windows of each source within the time span, the newest first: on the first of each source, and on
 * a fixed number of further ones of all sources together. The more sources, the smaller the windows: all together have
 * at most about twice `overview.windows` times `look.countWindow` rows. Other callers run between windows. Stops early
 * once `isEnough`.
 */
export async function totalThrough<T, S extends Pick<Source<Position>, "edge">>(
  call: Pick<CallRequest, "notes" | "signal">,
  sources: readonly S[],
  span: Span | null,
  total: (source: S, stretch: Stretch) => Promise<T[]>,
  isEnough: () => boolean = () => false,
): Promise<Totals<T>> {
  const found: T[] = [];
  let isComplete = true;
  const { windows } = limits.overview;
  const divisor = Math.max(1, Math.ceil(sources.length / windows));
  const size = Math.ceil(limits.look.countWindow / divisor);
  let further = divisor * windows - 1;
  for (const source of sources) {
    // No id sorts before the empty one, so this is the position right before the time span.
    let after: Position | null = span && { createdAt: span.to, id: "" };
    for (;;) {
      const stretch = await inTurn(call, () => stretchAfter(source, after, span, size));
      found.push(...(await inTurn(call, () => total(source, stretch))));
      if (isEnough()) return { found, isComplete: false };
      after = stretch.until;
      if (after === null) break;
      if (call.signal.aborted) throw protocolFailure("unavailable", "The totals were aborted.", { "Retry-After": "1" });
      if (further === 0) {
        isComplete = false;
        break;
      }
      further--;
    }
  }
  return { found, isComplete };
}

/** The next window; without an end if it reaches the start of the time span. */
async function stretchAfter(
  { edge }: Pick<Source<Position>, "edge">,
  after: Position | null,
  span: Span | null,
  size: number,
): Promise<Stretch> {
  const until = (await edge?.(after, size)) ?? null;
  return { after, until: until && span && until.createdAt < span.from ? null : until };
}
