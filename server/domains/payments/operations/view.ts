// The content of a pay page: the payment request behind a link, as the payer may see it. Reads only.
import * as z from "zod";
import type { Reader } from "@/db/client";
import { rules } from "@/server/access/rules";
import { isMailed } from "@/server/domains/mails/store";
import { inTimeOf } from "@/server/domains/organizations/time";
import { cardProvider } from "@/server/domains/providers/registry";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { iso, isoOrNull } from "@/server/process/clock";
import { newLinkOf } from "../asked";
import { fixedChoices, optionsOf } from "../choices";
import { derivePaymentStatus, isCovered, isUnderWay, type PaymentFacts } from "../derive";
import { amountReturned } from "../disputed";
import { factsOf } from "../facts";
import { issueFormToken, payFormKind } from "../form-token";
import { actionUrlOf } from "../from-attempts";
import { installmentsAt, paidOfPlan } from "../installments";
import { creditNotesOfOne } from "../invoices/credit-note-store";
import { isErased, linkHashOf, paymentUrl } from "../link";
import { linkPageFields, presentLinkPage } from "../link-page";
import { choiceOf, chosenQuantities, linkChoice, placeProblem, type ShownPage, shownUse } from "../links/link-view";
import { begunHere, ownUse } from "../links/own-use";
import { means, meansOf } from "../means";
import { findPageByLink, type LinkedPage } from "../page-store";
import { installmentOut } from "../partial-terms";
import { cardsPossibleAt } from "../pay-throttles";
import { presentInstallment } from "../present";
import { returnUrlOf } from "../return-url";
import { isAvailable, type PaymentStatus, refusalToAsk, refusalToPay } from "../rules";
import { lastPaid, totalsOf } from "../totals";

/** The states of a pay page. */
export const payPageStates = [
  "open",
  "processing",
  "requires_action",
  "paid",
  "failed",
  "authorized",
  "refunded",
  "partially_refunded",
  "disputed",
  "expired",
  "canceled",
  "used_up",
  "taken",
  "link_paused",
  "unavailable",
] as const;

export type PayPageState = (typeof payPageStates)[number];

export const payPage = z.strictObject({
  ...linkPageFields,
  state: z.enum(payPageStates),
  capture_method: z.enum(["automatic", "manual"]),
  due_at: z.string().nullable(),
  expires_at: z.string().nullable(),
  success_url: z.string().nullable(),
  cancel_url: z.string().nullable(),
  is_viewed: z.boolean().meta({ description: "Whether a view has been recorded." }),
  /**
   * In the state `expired`: whether the payer can ask for a new link, or has done so within a day; `noted` if no mail
   * tells the account.
   */
  new_link: z.enum(["possible", "requested", "noted"]).nullable(),
  /** In the state `requires_action`: the page on which the payer confirms. */
  action_url: z.string().nullable(),
  last_error_code: z.string().nullable(),
  /** In the state `failed`: when the payer can try a card again; null if that takes an act of the merchant. */
  cards_open_at: z.string().nullable(),
  /** Minor units of the attempt in progress, or in the state `open` of the one that failed last. */
  attempt_amount: z.int().nullable(),
  installments: z.array(installmentOut).nullable(),
  /** What can be chosen in the state `open`, the smallest amount first. */
  options: z.array(z.strictObject({ choice: z.enum(fixedChoices), amount: z.int() })),
  /** The smallest and the largest part that the payer may choose freely. */
  own_amount: z.strictObject({ least: z.int(), most: z.int() }).nullable(),
  last_payment: z
    .strictObject({ transaction_id: z.string(), at: z.string(), amount: z.int(), ...means.shape })
    .nullable(),
  /** Whether what the bank took back was asked for again, and nothing of the payment that arrived last went back. */
  is_paid_again: z.boolean(),
  /** What each payer of a reusable link chooses. */
  link: linkChoice,
  /** Of a reusable link: the payment that was begun in this browser and is under way. It may be another person's. */
  begun: z.strictObject({ payment_id: z.string(), url: z.string().nullable() }).nullable(),
  /** In the state `open`: the token that the form must send back. */
  form_token: z.string().nullable(),
  /** Credit notes of the invoice that are not void. */
  credit_notes: z.array(z.strictObject({ id: z.string(), number: z.string(), has_pdf: z.boolean() })),
  /** When it was read, in the organization's time. */
  read_at: z.string(),
});

export type PayPage = z.output<typeof payPage>;

export const viewPayment = operation({
  id: "payments.view",
  summary: "Open a pay link",
  access: rules["pay.link"],
  effect: "read",
  input: z.strictObject({ token: z.string().max(limits.linkToken), quantities: chosenQuantities, ...begunHere }),
  output: payPage,
  errors: { payment_not_found: 404 },
  async run({ ctx: call, input, fail }) {
    // A malformed token is looked up like an unknown one, so that a caller cannot tell them apart.
    const hash = linkHashOf(input.token) ?? "malformed";
    const linked = (await findPageByLink(call.db, hash)) ?? fail("payment_not_found");
    const ctx = await inTimeOf(call, linked.organization.id);
    const facts = await factsOf(ctx.db, linked.payment);
    const possible = await stateOf(ctx.db, linked, facts, ctx.now);
    const waitsUntil = possible === "open" ? await cardsPossibleAt(ctx, linked.payment) : null;
    const state = waitsUntil === null ? possible : "failed";
    const { keys } = ctx.runtime;
    const payment = shownUse(linked.payment, input.quantities);
    const asked = state === "expired" ? newLinkOf(payment, facts, ctx.now) : null;
    const newLink = asked === "requested" && !(await isMailed(ctx.db, payment.linkRequestMailId)) ? "noted" : asked;
    const formToken = state === "open" ? issueFormToken(keys, payFormKind(payment), payment.id, ctx.realNow) : null;
    const actionUrl = actionUrlOf(state, facts.attempts);
    const own = facts.usage ? await ownUse(ctx.db, payment.id, input) : undefined;
    return {
      ...presentPage({ ...linked, payment }, state, { formToken, newLink, actionUrl }),
      // Throttles count in real time.
      cards_open_at: waitsUntil === null ? null : iso(waitsUntil + ctx.now - ctx.realNow),
      ...presentParts(payment, facts, ctx.now),
      link: choiceOf(linked.payment),
      begun: own ? { payment_id: own.id, url: paymentUrl(ctx.runtime, own) } : null,
      credit_notes: await notesOn(ctx.db, payment),
      read_at: iso(ctx.now),
    };
  },
});

/** The credit notes that the page leads to, as long as everyone with the link may see the invoice. */
async function notesOn(q: Reader, payment: LinkedPage["payment"]): Promise<PayPage["credit_notes"]> {
  const notes = payment.invoiceNumber === null || isErased(payment) ? [] : await creditNotesOfOne(q, payment.id);
  return notes
    .filter(({ voidedAt }) => voidedAt === null)
    .map(({ id, record, pdfProblem }) => ({ id, number: record.number, has_pdf: pdfProblem === null }));
}

/** The state that the payer sees, which reveals less than the merchant's status. */
async function stateOf(
  q: Reader,
  { payment, account }: LinkedPage,
  facts: PaymentFacts,
  now: number,
): Promise<PayPageState> {
  const status = derivePaymentStatus(facts, now);
  const isOpen = isAvailable(account) && cardProvider(payment.livemode) !== null;
  const states: Record<PaymentStatus, PayPageState> = {
    draft: "unavailable",
    pending: "unavailable",
    partially_paid: "unavailable",
    requires_action: "requires_action",
    processing: "processing",
    authorized: "authorized",
    paid: facts.usage ? "used_up" : "paid",
    disputed: stateOfDisputed(facts),
    partially_refunded: "partially_refunded",
    refunded: "refunded",
    failed: isAvailable(account) ? "failed" : "unavailable",
    canceled: isAvailable(account) ? "canceled" : "unavailable",
    expired: isAvailable(account) ? "expired" : "unavailable",
  };
  const refusal = facts.usage ? refusalToAsk(facts, now) : refusalToPay(facts, now);
  // A lapsed hold whose end the provider has not confirmed.
  if (isOpen && refusal === "payment_processing" && states[status] === "unavailable") return "processing";
  if (!isOpen || refusal !== null) return states[status];
  return (await placeProblem(q, payment, now)) ?? "open";
}

/** What the payer sees of a dispute: that it is open or, once it was lost, that the money went back. */
function stateOfDisputed(facts: PaymentFacts): PayPageState {
  if (!isCovered(facts)) return "unavailable";
  const { amountPaid, disputeStatus } = totalsOf(facts);
  if (disputeStatus === "open") return "disputed";
  return amountReturned(facts.attempts) >= amountPaid ? "refunded" : "partially_refunded";
}

/** What has been paid, what is being paid, and what can be paid next. */
export function presentParts(payment: LinkedPage["payment"], facts: PaymentFacts, now: number) {
  const { installments } = payment;
  const status = derivePaymentStatus(facts, now);
  const attempt = facts.attempts.findLast((one) => one.provider !== null);
  const paid = lastPaid(facts.attempts);
  const { fixed, own } = optionsOf(payment, now);
  return {
    attempt_amount: attempt && (isUnderWay(attempt) || attempt.status === "failed") ? attempt.amount : null,
    installments:
      installments &&
      installmentsAt({ installments, amountPaid: paidOfPlan(payment) }, status, now).map(presentInstallment),
    options: fixed,
    own_amount: own,
    last_payment: paid
      ? { transaction_id: paid.id, at: iso(paid.effectiveAt), amount: paid.amountCaptured, ...meansOf(paid) }
      : null,
    is_paid_again: payment.amountReopened > 0 && paid !== undefined && amountReturned([paid]) === 0,
  };
}

/** The page of a payment request and its account in a state, without what says which parts are paid. */
export function presentPage(
  linked: ShownPage,
  state: PayPageState,
  {
    formToken,
    newLink,
    actionUrl,
  }: { formToken: string | null; newLink: PayPage["new_link"]; actionUrl: string | null },
): Omit<
  PayPage,
  keyof ReturnType<typeof presentParts> | "cards_open_at" | "link" | "begun" | "credit_notes" | "read_at"
> {
  const { payment } = linked;
  return {
    ...presentLinkPage(linked),
    state,
    capture_method: payment.captureMethod,
    due_at: isoOrNull(payment.dueAt),
    expires_at: isoOrNull(payment.expiresAt),
    success_url: returnUrlOf(payment.successUrl, payment.id),
    cancel_url: returnUrlOf(payment.cancelUrl, payment.id),
    is_viewed: payment.viewedAt !== null,
    new_link: newLink,
    action_url: actionUrl,
    last_error_code: state === "open" || state === "failed" ? (payment.lastError?.code ?? null) : null,
    form_token: formToken,
  };
}
