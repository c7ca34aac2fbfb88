// The commands on a subscription: cancel, pause, resume.
import * as z from "zod";
import * as fields from "@/server/kit/fields";
import { dayMs, limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { isoOrNull } from "@/server/process/clock";
import { changeSubscription } from "../change";
import { cancelNow } from "../end";
import { lockToBegin } from "../lock-to-begin";
import { mailAmountChanged, mailEnding, mailKept } from "../mails";
import { shownSubscription } from "../present";
import { withBegunPeriods } from "../renew";
import { resumed } from "../resume";
import { pausedFrom } from "../rules";
import { subscriptionId } from "../schema";
import { findSubscription } from "../store";
import { check, common, errors, locked } from "./command";

export const cancelSubscription = operation({
  ...common,
  id: "subscriptions.cancel",
  summary: "Cancel a subscription",
  description:
    "With `period_end`, when the current period ends: until then nothing changes. With `now`, at once: a renewal that is " +
    "not paid is canceled, too. A charge that is under way is settled, and its money stays. Nothing is refunded.",
  rest: { method: "POST", path: "/v1/subscriptions/{subscription_id}/cancel", extension: true },
  input: z
    .strictObject({
      subscription_id: subscriptionId,
      at: z.enum(["period_end", "now"]).meta({ example: "period_end" }),
    })
    .meta({ id: "CancelSubscription" }),
  errors,
  async run({ ctx, input: { subscription_id: id, at }, fail }) {
    const row = await locked(ctx, id, fail);
    check(at === "now" ? "cancel_now" : "cancel_later", row, fail);
    ctx.audit({ target: id, detail: { at, previous_status: row.status } });
    // While it is paused, or not paid for long, the period that was current may have ended.
    const isOver = row.currentPeriodEnd !== null && row.currentPeriodEnd <= ctx.now;
    const after =
      at === "now" || isOver
        ? await cancelNow(ctx, row)
        : await changeSubscription(ctx, row, { cancelAtPeriodEnd: true }, "updated");
    if (after.cancelAtPeriodEnd && after.status !== "canceled") await mailEnding(ctx, after);
    return shownSubscription(ctx.db, after);
  },
});

export const pauseSubscription = operation({
  ...common,
  id: "subscriptions.pause",
  summary: "Pause a subscription",
  description:
    "Nothing is charged until it is resumed, by a call or at `resume_at`. A period that has begun and was not charged yet is charged then. A charge that is under way is settled, and a " +
    "renewal that is not paid can still be paid on its page.",
  rest: { method: "POST", path: "/v1/subscriptions/{subscription_id}/pause", extension: true },
  input: z
    .strictObject({
      subscription_id: subscriptionId,
      resume_at: fields.instant
        .nullish()
        .meta({ description: `At most ${limits.subscriptionPauseDays} days from now; null until a call resumes it.` }),
    })
    .meta({ id: "PauseSubscription" }),
  errors,
  async run({ ctx, input: { subscription_id: id, resume_at: given }, fail }) {
    await lockToBegin(ctx, (await findSubscription(ctx.db, ctx.scope, id)) ?? fail("subscription_not_found"));
    const row = await locked(ctx, id, fail);
    check("pause", row, fail);
    const resumeAt = given ?? null;
    if (resumeAt !== null && resumeAt <= ctx.now) return fail("invalid_request", "resume_at: must be in the future");
    if (resumeAt !== null && resumeAt > ctx.now + limits.subscriptionPauseDays * dayMs) {
      return fail("invalid_request", `resume_at: must be at most ${limits.subscriptionPauseDays} days from now`);
    }
    ctx.audit({ target: id, detail: { previous_status: row.status, resume_at: isoOrNull(resumeAt) } });
    const begun = await withBegunPeriods(ctx, row);
    const change = { status: "paused", resumeAt, ...pausedFrom(begun, ctx.now) } as const;
    return shownSubscription(ctx.db, await changeSubscription(ctx, begun, change, "paused"));
  },
});

export const resumeSubscription = operation({
  ...common,
  id: "subscriptions.resume",
  summary: "Resume a subscription",
  description:
    "Ends a pause: its periods begin on the same days as before, and none that began during the pause is charged. With " +
    "`cancel_at_period_end: false` it takes back that the subscription is canceled at the end of the period instead " +
    "(`subscription.updated`), and leaves a pause as it is.",
  rest: { method: "POST", path: "/v1/subscriptions/{subscription_id}/resume", extension: true },
  input: z
    .strictObject({
      subscription_id: subscriptionId,
      cancel_at_period_end: z.literal(false).optional().meta({
        description: "Takes back that the subscription is canceled at the end of the period.",
        example: false,
      }),
    })
    .meta({ id: "ResumeSubscription" }),
  errors,
  async run({ ctx, input: { subscription_id: id, cancel_at_period_end: kept }, fail }) {
    const row = await locked(ctx, id, fail);
    const keeps = kept === false;
    check(keeps ? "keep" : "resume", row, fail);
    if (keeps && row.currentPeriodEnd !== null && row.currentPeriodEnd <= ctx.now) {
      return fail("invalid_subscription_state", "The period has ended, and the subscription with it.");
    }
    ctx.audit({ target: id, detail: keeps ? { cancel_at_period_end: false } : {} });
    const after = keeps
      ? await changeSubscription(ctx, row, { cancelAtPeriodEnd: false }, "updated")
      : await resumed(ctx, row);
    if (keeps) await mailKept(ctx, after);
    // Nothing told the customer of another amount while none was to be charged.
    if (keeps && after.amount !== after.chargedAmount) await mailAmountChanged(ctx, after, after.chargedAmount);
    return shownSubscription(ctx.db, after);
  },
});
