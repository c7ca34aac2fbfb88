// Has the cards forgotten that an earlier version left stored: a job over all organizations, in batches.
import { inPasses } from "@/server/domains/jobs/passes";
import type { Later } from "@/server/domains/jobs/runner";
import type { Progress } from "@/server/domains/jobs/store";
import { forgetLater } from "@/server/domains/payments/methods/forget-later";
import { cardsAfter } from "@/server/domains/payments/methods/store";
import { inBackground } from "@/server/domains/records/in-background";
import { limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { isLive } from "./rules";
import { subscriptionsById } from "./store";

const task = "payments.forget_unused";

/**
 * Schedules that the provider forgets each card which no subscription charges, in some batches. Resolves to where it
 * continues, until the last pass is over. The job of a card looks again whether it is needed. Idempotent.
 */
export const forgetUnused = (
  runtime: Runtime,
  _objectId: string,
  signal: AbortSignal,
  saved: Progress,
): Promise<Later | undefined> => {
  const message = "the cards that an earlier version left stored are being forgotten";
  const { runs } = limits.batch.unusedCards;
  return inPasses(runtime, { signal, saved, runs, message }, (after) => forgetBatch(runtime, after));
};

/** Returns the id of the last card of the batch; undefined at the end. */
async function forgetBatch(runtime: Runtime, after: string): Promise<string | undefined> {
  const { read } = runtime.db;
  const cards = await cardsAfter(read, after, limits.batch.unusedCards.rows);
  const ids = cards.flatMap(({ subscriptionId }) => subscriptionId ?? []);
  const charged = (await subscriptionsById(read, ids)).filter(isLive).map(({ methodId }) => methodId);
  const used = new Set(charged);
  const unused = cards.filter(({ method }) => method.providerReference !== null && !used.has(method.id));
  if (unused.length > 0) {
    await inBackground(runtime, task, async (ctx) => {
      for (const { method } of unused) await forgetLater(ctx, method);
    });
  }
  return cards.at(-1)?.method.id;
}
