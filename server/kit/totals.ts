// How many records match: counted one by one while they are few, estimated from the sample above that.
import { rowsBehind, type SamplePart, sampleParts } from "@/db/sample";
import { inTurn } from "@/server/fairness/turns";
import type { ReadContext } from "./context";
import { limits } from "./limits";
import { countThrough, type Source } from "./look-through";
import type { Position } from "./page";

export interface Total {
  count: number;
  isEstimate: boolean;
}

const { exact, matches: enoughMatches, rows: enoughRows } = limits.totals;

/** The total of a list that is always counted. */
export const exactly = async (count: Promise<number>): Promise<Total> => ({ count: await count, isEstimate: false });

type Sources = readonly Pick<Source<Position>, "edge" | "count" | "sample">[];

/**
 * The number of matches: exact up to `limits.totals.exact`, above that an estimate. Its standard deviation is a fifth just
 * above that, and a twentieth from about 13,000 matches on, unless few of very many records match. `search` names the list, and all that decides within the organization what
 * matches: the same search gets the same estimate for a minute.
 */
export async function totalOf(ctx: ReadContext, search: readonly unknown[], sources: Sources): Promise<Total> {
  const { totals, clock } = ctx.runtime;
  const key = JSON.stringify([ctx.scope.organizationId, ...search]);
  const known = totals.get(key, clock.now());
  if (known !== undefined) return { count: known, isEstimate: true };
  const counted = await countThrough(ctx.request, sources, exact + 1);
  if (counted <= exact) return { count: counted, isEstimate: false };
  const count = Math.max(counted, rounded(await estimate(ctx, sources)));
  totals.keep(key, count, clock.now());
  return { count, isEstimate: true };
}

/** Two digits, since the others say nothing. */
const rounded = (count: number): number => Number(count.toPrecision(2));

/** Sources without a sample have few candidates, and are counted. */
async function estimate(ctx: ReadContext, sources: Sources): Promise<number> {
  const samples = sources.flatMap(({ sample }) => sample ?? []);
  const counted = await countThrough(
    ctx.request,
    sources.filter(({ sample }) => !sample),
  );
  return counted + (await estimateFrom(ctx, samples));
}

/** Reads parts of the samples until enough is known, or no part is left. Other callers run between parts. */
async function estimateFrom(ctx: ReadContext, samples: readonly SamplePart[]): Promise<number> {
  let [matches, rows, parts] = [0, 0, 0];
  for (const part of sampleParts) {
    if (matches >= enoughMatches || rows >= enoughRows) break;
    for (const sample of samples) {
      const found = await inTurn(ctx.request, () => sample(part));
      matches += found.matches;
      rows += found.rows;
    }
    parts++;
  }
  return matches * rowsBehind(parts);
}
