// Renewals that are due in the same minute: how many a worker does per second, and how long captures and look-ups take
// meanwhile and afterwards. On the engine of the environment: npx tsx bench/renewals.ts [subscriptions].
import { setTimeout as sleep } from "node:timers/promises";
import { and, count, eq, gt, isNotNull } from "drizzle-orm";
import { jobs, subscriptionCycles, transactions } from "@/db/tables";
import { jobTable } from "@/server/background/handlers";
import { schedule } from "@/server/domains/jobs/queue";
import { runDueJobs, startRunner } from "@/server/domains/jobs/runner";
import { capturePayment } from "@/server/domains/payments/operations/capture";
import { newId } from "@/server/kit/ids";
import { dayMs, hourMs } from "@/server/kit/limits";
import { ask, payWith, transactionsOf } from "@/test/payer";
import { subscribe } from "@/test/subscriber";
import { anotherProcess, openWorld } from "@/test/world";

const subscriptions = Number(process.argv[2] ?? 10_000);
const atOnce = 20;
const holds = 400;

const world = await openWorld({ PAY_FAILURES_PER_IP: "100000" });
const { member, id: organizationId } = await world.organization();
const daily = { interval: "day", interval_count: 1 } as const;

/** Runs `work` so often, several at once. */
async function times<T>(total: number, work: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let left = total;
  const lane = async () => {
    while (left-- > 0) results.push(await work());
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return results;
}

const started = Date.now();
const yesterday = await anotherProcess(world, { clock: { now: () => started - dayMs - hourMs } });
await times(subscriptions, () => subscribe(yesterday, member.actor, { subscription: daily }));
const held = await times(holds, async () => {
  const { payment, token } = await ask(yesterday, member.actor, { capture_method: "manual" });
  await payWith(yesterday, token);
  return payment.payment_id;
});
// What the provider reported about the first payments is not what is measured.
while ((await runDueJobs(yesterday.runtime, jobTable)) > 0);
await yesterday.close();
const today = await anotherProcess(world, { clock: { now: () => Date.now() } });
console.log(`${subscriptions} subscriptions and ${holds} holds in ${((Date.now() - started) / 1000).toFixed(0)} s`);

const { db } = today.runtime;
const renewed = async () => {
  const paid = and(gt(subscriptionCycles.cycle, 1), isNotNull(subscriptionCycles.paidAt));
  return db.read.$count(subscriptionCycles, paid);
};

/** Milliseconds until a worker has looked up the hold. */
async function lookUpOf(paymentId: string): Promise<number> {
  const [hold] = await transactionsOf(today, paymentId);
  const objectId = hold?.id ?? "";
  const now = Date.now();
  const id = (prefix: "job") => newId(prefix, now);
  await db.write((tx) =>
    schedule({ db: tx, now, realNow: now, id }, { kind: "payments.lookup", organizationId, objectId, afterMs: 0 }),
  );
  const isDue = and(eq(jobs.objectId, objectId), gt(jobs.runAt, now + hourMs));
  while ((await db.read.$count(jobs, isDue)) === 0) await sleep(5);
  return Date.now() - now;
}

async function captureOf(payment_id: string): Promise<number> {
  const now = performance.now();
  await today.call(capturePayment, member.actor, { payment_id });
  return performance.now() - now;
}

const shown = (all: number[]): string => {
  const sorted = all.toSorted((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(0);
  return `median ${at(0.5)} ms, 95 % ${at(0.95)} ms, longest ${at(1)} ms (${all.length})`;
};

/** Captures and looks up these holds in turn while there are any and `lasts`, and prints how long each takes. */
async function watch(when: string, these: string[], lasts = async () => these.length > 0): Promise<void> {
  const captures: number[] = [];
  const lookUps: number[] = [];
  while (await lasts()) {
    const [looked, captured] = these.splice(0, 2);
    if (looked) lookUps.push(await lookUpOf(looked));
    if (captured) captures.push(await captureOf(captured));
    await sleep(200);
  }
  console.log(`captures ${when}: ${shown(captures)}`);
  console.log(`look-ups ${when}: ${shown(lookUps)}`);
}

const compared = held.splice(0, holds / 4);
const stop = startRunner(today.runtime, jobTable);
const begun = performance.now();
await watch("meanwhile", held, async () => (await renewed()) < subscriptions);
const seconds = (performance.now() - begun) / 1000;
console.log(`${subscriptions} renewals in ${seconds.toFixed(1)} s: ${(subscriptions / seconds).toFixed(0)} per second`);
await watch("afterwards", compared);
await stop();
const [charges] = await db.read
  .select({ total: count() })
  .from(transactions)
  .innerJoin(subscriptionCycles, eq(subscriptionCycles.paymentId, transactions.paymentId))
  .where(gt(transactions.amountCaptured, 0));
console.log(`${charges?.total} charges for ${2 * subscriptions} periods`);
await today.close();
await world.close();
