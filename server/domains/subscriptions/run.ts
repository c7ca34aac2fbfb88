// The job of a subscription: does what is due next, such as a renewal. It is scheduled for the instant of `nextAct`.

import type { AccountRow } from "@/server/domains/accounts/store";
import { schedule } from "@/server/domains/jobs/queue";
import type { Later } from "@/server/domains/jobs/runner";
import { chargeStored } from "@/server/domains/payments/charge-card";
import { isAvailable } from "@/server/domains/payments/rules";
import { inBackground } from "@/server/domains/records/in-background";
import { settle } from "@/server/domains/transactions/settle";
import type { WriteContext } from "@/server/kit/context";
import { dayMs } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { changeSubscription, scheduleNext } from "./change";
import { cancelNow, endItself, lockWithLatest } from "./end";
import { lockToBegin } from "./lock-to-begin";
import { mailTrialEnding } from "./mails";
import { type Charge, renew, retry } from "./renew";
import { resumed } from "./resume";
import { nextAct } from "./rules";
import { readSubscription, type SubscriptionRow } from "./store";

const task = "subscriptions.run";

/**
 * Does what is due. A renewal is recorded in one transaction, charged outside any, and settled in another; if the process
 * dies in between, the look-up of the charge settles it. Idempotent.
 */
export async function runSubscription(runtime: Runtime, id: string): Promise<Later | undefined> {
  const charge = await inBackground(runtime, task, (ctx) => actOn(ctx, id));
  if (charge === null) return undefined;
  const { transaction, organization: organizationId, payment: target } = charge.intent;
  const outcome = await chargeStored(runtime, charge.intent, charge.methodReference);
  if (outcome === null) return undefined;
  await inBackground(runtime, task, async (ctx) => {
    await settle(ctx, transaction, outcome);
    ctx.audit({ target, organizationId, detail: { transaction, outcome: outcome.status } });
  });
  return undefined;
}

/** Does what is due of the subscription; resolves to the charge to make of the stored card, if any. */
async function actOn(ctx: WriteContext, id: string): Promise<Charge | null> {
  const seen = await readSubscription(ctx.db, id);
  if (!seen) return null;
  const { organizationId } = seen;
  const { account, isErased } = await lockToBegin(ctx, seen);
  const row = await lockWithLatest(ctx, id);
  if (!row || !account) return null;
  const next = nextAct(row, ctx.now);
  if (next === null || next.at > ctx.now) {
    await scheduleNext(ctx, row);
    return null;
  }
  ctx.audit({ target: id, organizationId, detail: { act: next.act } });
  switch (next.act) {
    case "end":
      await cancelNow(ctx, row);
      return null;
    case "complete":
      await endItself(ctx, row, "completed");
      return null;
    case "resume":
      await resumed(ctx, row);
      return null;
    case "notice":
      await mailTrialEnding(ctx, await changeSubscription(ctx, row, { trialNoticeAt: ctx.now }, "trial_ending"));
      return null;
    default:
      return (await mayCharge(ctx, row, account, isErased)) ? (next.act === "renew" ? renew : retry)(ctx, row) : null;
  }
}

/**
 * Whether the customer may be charged now. A subscription of a closed account, or of an erased customer, ends instead. One
 * of an account without owner waits until it has one.
 */
async function mayCharge(
  ctx: WriteContext,
  row: SubscriptionRow,
  account: AccountRow,
  isErased: boolean,
): Promise<boolean> {
  if (account.status === "closed" || isErased) {
    await cancelNow(ctx, row);
    return false;
  }
  if (isAvailable(account)) return true;
  const { id: objectId, organizationId } = row;
  await schedule(ctx, { kind: task, organizationId, objectId, dueAt: ctx.now + dayMs });
  return false;
}
