// The actions that a payment request allows its reader now, for the dashboard's buttons.
import * as z from "zod";
import type { Reader } from "@/db/client";
import { may } from "@/server/access/may";
import { rules } from "@/server/access/rules";
import { visibleAccount } from "@/server/domains/accounts/authorized-account";
import { spendableCredit } from "@/server/domains/customers/credit-store";
import type { ReadContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { hasAskedForLink } from "../asked";
import { holdToCapture, refusalToCapture } from "../capture-rules";
import { mayBeHeldUp } from "../declines";
import { amountDue, hasExpired, isDraft, type PaymentFacts } from "../derive";
import { timezoneOf } from "../due-date";
import { factsOf } from "../facts";
import { holderOf } from "../holder";
import { mayTakePlace } from "../links/refresh-link";
import { refusalToReopen } from "../lost";
import {
  isAvailable,
  isOpenToChange,
  refusalToAsk,
  refusalToCancel,
  refusalToExtend,
  refusalToPay,
  refusalToRecord,
  refusalToRemind,
} from "../rules";
import { paymentId } from "../schema";
import { findPayment, type PaymentRow } from "../store";
import { openHold, totalsOf } from "../totals";

export const paymentActions = operation({
  id: "payments.acts",
  summary: "List the actions that a payment request allows now",
  access: rules["payments.read"],
  time: "organization",
  effect: "read",
  input: z.strictObject({ payment_id: paymentId }),
  output: z.strictObject({
    payment_id: z.string(),
    can_cancel: z.boolean(),
    /** Whether the customer can pay by card now: something is due, and no payment is in progress. */
    can_pay: z.boolean(),
    /** Whether money that was received otherwise can be recorded for it. */
    can_record: z.boolean(),
    /** Whether somebody can be asked to pay it now: its amount or, of a reusable link, one use. */
    can_ask: z.boolean(),
    /** Whether what a lost dispute took can be asked for again, or written off. */
    can_reopen: z.boolean(),
    can_write_off: z.boolean(),
    /** Whether money arrived late, and the reader may decide to keep it. */
    can_accept_late: z.boolean(),
    can_extend: z.boolean(),
    /** Whether so many cards failed that payers have to wait, or can try none, until cards are allowed again. */
    can_allow_cards: z.boolean(),
    /** Whether it is an open reusable link, which can be paused or resumed. */
    can_pause: z.boolean(),
    /** Whether it is a draft that the reader may change and finalize. */
    can_finalize: z.boolean(),
    /** Whether it is final, and more of it than its metadata may still change. */
    can_edit: z.boolean(),
    can_duplicate: z.boolean(),
    /** Whether its customer asked for a new link, and the reader may say that this is done. */
    can_dismiss: z.boolean(),
    /** Whether it can be mailed. */
    can_send: z.boolean(),
    /** The most that can be paid out of the customer's credit, in minor units. */
    applicable_credit: z.int(),
    /** Whether a surplus can become credit of the customer. */
    can_credit: z.boolean(),
    /** The most that a capture can take, in minor units; 0 if nothing can be captured. */
    capturable: z.int(),
    /** The time zone in which the days of its due dates end. */
    due_time_zone: z.string(),
  }),
  errors: { payment_not_found: 400, account_not_found: 400, insufficient_permissions: 400 },
  async run({ ctx, input, fail }) {
    const row = (await findPayment(ctx.db, ctx.scope, input.payment_id)) ?? fail("payment_not_found");
    const facts = await factsOf(ctx.db, row);
    const account = await visibleAccount(ctx, row.accountId, fail);
    const mayCreate = may("payments.create", ctx.actor) && account.status === "open";
    const mayExtend = mayCreate && (row.expiresAt !== null || hasExpired(facts, ctx.now));
    const mayDecide = may("payments.cancel", ctx.actor);
    const isPayable = isAvailable(account);
    const mayCapture = may("payments.capture", ctx.actor) && refusalToCapture(facts, ctx.now) === null;
    const hold = mayCapture ? holdToCapture(facts, ctx.now) : undefined;
    const due = amountDue({ ...facts, ...totalsOf(facts) });
    const canPay = isPayable && refusalToPay(facts, ctx.now) === null;
    const canRemind = isPayable && refusalToRemind(facts, ctx.now) === null;
    const { payFailuresPerLink } = ctx.runtime.env;
    const canAsk = isPayable && refusalToAsk(facts, ctx.now) === null;
    const canRecord = account.status === "open" && (await mayRecord(ctx, row, facts));
    const customerId = canRecord && may("transactions.create", ctx.actor) ? await holderOf(ctx.db, row) : null;
    const credit = customerId === null ? 0 : await spendableBy(ctx.db, customerId, row);
    return {
      payment_id: row.id,
      can_pay: canPay,
      can_record: canRecord,
      can_ask: canAsk,
      can_cancel: may("payments.cancel", ctx.actor) && refusalToCancel(facts, ctx.now) === null,
      can_reopen: mayDecide && account.status === "open" && refusalToReopen(row, account) === null,
      can_write_off: mayDecide && row.amountLost > 0,
      can_accept_late: mayDecide && row.paidLateAt !== null,
      // Whatever its expiry, an authorization hold lapses when the provider says. The API still moves the expiry.
      can_extend: isPayable && mayExtend && refusalToExtend(facts) === null && !holdToCapture(facts, ctx.now),
      can_allow_cards: mayCreate && canRemind && mayBeHeldUp(facts.attempts, row, ctx.now, payFailuresPerLink),
      can_pause: mayCreate && facts.usage !== null && isOpenToChange(facts, ctx.now),
      can_finalize: mayCreate && isDraft(facts),
      can_edit: mayCreate && isOpenToChange(facts, ctx.now),
      can_duplicate: mayCreate,
      can_dismiss: may("attention.dismiss", ctx.actor) && hasAskedForLink(row),
      can_send: may("mails.send", ctx.actor) && canAsk,
      applicable_credit: Math.min(credit, due),
      can_credit: customerId !== null,
      capturable: hold ? Math.min(openHold(hold), due) : 0,
      due_time_zone: await timezoneOf(ctx.db, account),
    };
  },
});

/** Whether money that was received otherwise can be recorded for it while its account is open. */
const mayRecord = async ({ db, now }: Pick<ReadContext, "db" | "now">, row: PaymentRow, facts: PaymentFacts) =>
  refusalToRecord(facts, now) === null && amountDue(row) > 0 && (await mayTakePlace({ db }, row));

const spendableBy = (q: Reader, customerId: string, { currency, livemode }: PaymentRow): Promise<number> =>
  spendableCredit(q, { customerId, currency, livemode }, limits.creditSources);
