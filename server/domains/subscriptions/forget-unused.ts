// Has the cards forgotten that an earlier version left stored: a job over all organizations, in batches.
import * as z from "zod";
import type { Later } from "@/server/domains/jobs/runner";
import type { Progress } from "@/server/domains/jobs/store";
import { forgetLater } from "@/server/domains/payments/methods/forget-later";
import { cardsAfter } from "@/server/domains/payments/methods/store";
import { inBackground } from "@/server/domains/records/in-background";
import { dayMs, hourMs, limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { isLive } from "./rules";
import { subscriptionsById } from "./store";

const task = "payments.forget_unused";

/**
 * How long after the previous pass each pass begins, in milliseconds. During a rolling upgrade, subscriptions still end
 * in processes of the previous version.
 */
const passes = [0, hourMs, dayMs] as const;

const progressShape = z.strictObject({
  pass: z.int(),
  /** The last card that was looked at in this pass. */
  after: z.string(),
});

/**
 * Schedules that the provider forgets each card which no subscription charges, in some batches. Resolves to where it
 * continues, until the last pass is over. The job of a card looks again whether it is needed. Idempotent.
 */
export async function forgetUnused(
  runtime: Runtime,
  _objectId: string,
  signal: AbortSignal,
  saved: Progress,
): Promise<Later | undefined> {
  let progress = saved === null ? { pass: 1, after: "" } : progressShape.parse(saved);
  for (let batches = 0; batches < limits.batch.unusedCards.runs && !signal.aborted; batches++) {
    const last = await forgetBatch(runtime, progress.after);
    if (last === undefined) return endOfPass(runtime, progress.pass);
    progress = { ...progress, after: last };
  }
  return { again: runtime.clock.now(), progress };
}

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

function endOfPass({ clock, log }: Runtime, pass: number): Later | undefined {
  log.info({ pass }, "the cards that an earlier version left stored are being forgotten");
  const pause = passes[pass];
  return pause === undefined ? undefined : { again: clock.now() + pause, progress: { pass: pass + 1, after: "" } };
}
