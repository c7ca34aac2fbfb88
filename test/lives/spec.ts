// The rules of payment requests a second time, for tests: it shares no code with the product's, so neither hides a flaw
// of the other.
import type { PaymentStatus } from "@/server/domains/payments/rules";
import type { PaymentRow } from "@/server/domains/payments/store";
import type { TransactionRow } from "@/server/domains/transactions/present";

/** What decides about a payment request. */
export type Terms = Pick<
  PaymentRow,
  ("type" | "amount" | "draft" | "invoiceNumber" | "parentPaymentId" | "isTrial") | PartTerms | Times | Decided
>;
type Times = "expiresAt" | "extendedAt" | "canceledAt" | "failedAt";
/** What was decided after lost disputes, and what of them nobody has decided about, which the invariant on money checks. */
type Decided = "amountReopened" | "amountWrittenOff" | "amountLost";
type PartTerms = "allowPartial" | "minimumAmount" | "installments" | "dueAt";

/** A payment request's terms, and its payments. */
export interface Request {
  terms: Terms;
  payments: readonly TransactionRow[];
  /** Of a use of a reusable link: whether it has no place and can get none. */
  isShutOut?: boolean;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

export const paidOf = ({ payments }: Request): number => sum(payments.map((one) => one.amountCaptured));

/** What final partial captures waived: of each released amount, at most what was still due after its capture. A trial waives all. */
export function waivedOf({ terms, payments }: Request): number {
  if (terms.isTrial) return terms.amount ?? 0;
  const captured = payments.filter((one) => one.amountCaptured > 0);
  captured.sort((a, b) => (a.settledAt ?? 0) - (b.settledAt ?? 0) || a.id.localeCompare(b.id, "en"));
  let missing = askedOf({ terms });
  const waived = captured.map((one) => {
    missing = missing - one.amountCaptured;
    const given = Math.min(one.amountReleased, Math.max(missing, 0));
    missing = missing - given;
    return given;
  });
  return sum(waived);
}

/** The amount, and what is due again after lost disputes. */
const askedOf = ({ terms }: Pick<Request, "terms">): number => (terms.amount ?? 0) + terms.amountReopened;

/** Minor units paid and waived above the amount, or below zero what is missing. */
const balanceOf = (request: Request): number => paidOf(request) + waivedOf(request) - askedOf(request);

/** Minor units of the amount that are neither paid nor waived. */
export const missingOf = (request: Request): number => Math.max(0, -balanceOf(request));

/** Minor units that somebody still owes: nothing of what is canceled. */
export const dueOf = (request: Request): number => (request.terms.canceledAt === null ? missingOf(request) : 0);

/**
 * Minor units paid above what was asked for, less what became credit, what refunds gave back, and what lost disputes took
 * and nobody has decided about. Below zero it is what they took of what was asked for.
 */
const leftAfterLoss = (request: Request, settled: number): number =>
  Math.max(0, balanceOf(request)) +
  request.terms.amountReopened +
  request.terms.amountWrittenOff -
  settled -
  lostOf(request);

export const overpaidOf = (request: Request, settled: number): number => Math.max(0, leftAfterLoss(request, settled));

/** Minor units that lost disputes took of what was asked for, and nobody has decided about. */
export const undecidedOf = (request: Request, settled: number): number => Math.max(0, -leftAfterLoss(request, settled));

/** Whether it is paid in full, or has stored the card of a trial. */
export const isPaid = (request: Request): boolean => {
  if (request.terms.isTrial) return request.payments.some(({ status }) => status === "succeeded");
  return paidOf(request) > 0 && balanceOf(request) >= 0;
};

/** Minor units that the payment's card authorization still holds. */
export const holdOf = (one: TransactionRow): number => one.amountAuthorized - one.amountCaptured - one.amountReleased;

/** Whether time ended the authorization before any of it was captured. A void before that time did not. */
function wasLost(one: TransactionRow, at: number): boolean {
  if (one.captureBefore === null || one.amountAuthorized === 0 || one.amountCaptured > 0) return false;
  const until = one.status === "authorized" ? at : one.settledAt;
  return until !== null && one.captureBefore <= until;
}

const isHeld = (one: TransactionRow, at: number): boolean => one.status === "authorized" && !wasLost(one, at);

/** Attempts that may still take money or hold it. */
const openOnes = ({ payments }: Request): TransactionRow[] =>
  payments.filter(({ status }) => status === "requires_action" || status === "processing" || status === "authorized");

const isOverdue = ({ terms, payments }: Request, at: number): boolean =>
  (terms.expiresAt !== null && terms.expiresAt <= at) ||
  payments.some((one) => wasLost(one, at) && Number(one.captureBefore) > (terms.extendedAt ?? 0));

/** Whether it is an invoice with a number, which is owed until it is paid or canceled. */
const isIssued = ({ terms }: Request): boolean => terms.invoiceNumber !== null;

/** The status of a payment request at an instant. */
export function statusOf(request: Request, at: number): PaymentStatus {
  const { terms, payments } = request;
  if (!isPaid(request)) {
    if (terms.canceledAt !== null) return "canceled";
    if (terms.draft !== null) return "draft";
    if (isDisputed(request)) return "disputed";
    if (payments.some((one) => isHeld(one, at))) return "authorized";
    if (payments.some(({ status }) => status === "processing")) return "processing";
    if (isOverdue(request, at)) return "expired";
    if (payments.some(({ status }) => status === "requires_action")) return "requires_action";
    if (terms.failedAt !== null) return "failed";
  }
  if (isDisputed(request) || terms.amountLost > 0) return "disputed";
  const asked = terms.amountReopened;
  const again = asked > 0 && !isPaid(request) ? Math.max(asked, lostOf(request)) : asked;
  const returned = sum(payments.map((one) => one.amountRefunded)) + lostOf(request) - again;
  const paid = paidOf(request) - again;
  if (paid > 0 && returned >= paid) return "refunded";
  if (returned > 0) return "partially_refunded";
  if (isPaid(request)) return "paid";
  return paid > 0 ? "partially_paid" : "pending";
}

/** Whether a customer has asked the bank for its money back, and nothing is decided. */
const isDisputed = ({ payments }: Pick<Request, "payments">): boolean =>
  payments.some(({ disputeStatus }) => disputeStatus === "open");

/** Minor units that lost disputes took. */
export const lostOf = ({ payments }: Request): number =>
  sum(payments.map((one) => (one.disputeStatus === "lost" ? one.amountDisputed : 0)));

/** Whether a payer may start to pay by card: something is due, and nothing is open or over. */
export const mayPay = (request: Request, at: number): boolean =>
  mayRemind(request, at) && openOnes(request).length === 0 && request.terms.failedAt === null;

/** Whether somebody can be asked for money, whatever became of the cards of payers. */
export const mayRemind = (request: Request, at: number): boolean => mayTake(request, at) && !isOverdue(request, at);

/** Whether a merchant may record money that came otherwise: as long as it may be paid and, of an invoice, later too. */
export const mayRecord = (request: Request, at: number): boolean =>
  mayTake(request, at) && (isIssued(request) || !isOverdue(request, at));

const mayTake = (request: Request, at: number): boolean =>
  !request.isShutOut &&
  !isPaid(request) &&
  !isDisputed(request) &&
  request.terms.draft === null &&
  request.terms.canceledAt === null &&
  openOnes(request).every((one) => wasLost(one, at) && !isBusy(one));

/** Whether an attempt may still take money although the merchant decides nothing more. */
const isBusy = (one: TransactionRow): boolean => one.status !== "authorized" || one.captureRequested !== null;

/** Whether it is a draft. Those that are canceled never become final. */
export const mayFinalize = ({ terms }: Pick<Request, "terms">): boolean =>
  terms.draft !== null && terms.canceledAt === null;

/** Whether a final request may get another description or date: it has not ended, even if money is on its way. */
export const mayChange = (request: Request, at: number): boolean =>
  request.terms.draft === null &&
  !isPaid(request) &&
  !isDisputed(request) &&
  request.terms.canceledAt === null &&
  !isOverdue(request, at);

export function mayCancel(request: Request, at: number): boolean {
  const open = openOnes(request);
  if (mayFinalize(request)) return true;
  if (isPaid(request) || isDisputed(request) || request.terms.canceledAt !== null) return false;
  if (open.some(isBusy)) return false;
  return isIssued(request) || open.some((one) => isHeld(one, at)) || !isOverdue(request, at);
}

/** Whether the expiry may be moved to `until`: neither a command nor the payers' money has ended it, but time may have. */
export function mayExtend(request: Request, at: number, until: number): boolean {
  const { expiresAt, draft, canceledAt } = request.terms;
  const isOver = isPaid(request) || draft !== null || canceledAt !== null;
  if (isOver || isDisputed(request) || !mayExpireAt(request, at, until)) return false;
  return isOverdue(request, at) || (expiresAt !== null && until > expiresAt);
}

/** Whether payers may be allowed to try cards again: money is wanted, now or once it is extended. */
export const mayAllowCards = (request: Request): boolean =>
  !isPaid(request) && request.terms.draft === null && request.terms.canceledAt === null;

/** Whether the payer may ask for a new link: it has expired, and could be extended. */
export const mayAskForLink = (request: Request, at: number): boolean => statusOf(request, at) === "expired";

/** Whether it may end at `until`: in the future, within a year of the last installment, and not before anything is due. */
export function mayExpireAt({ terms }: Pick<Request, "terms">, at: number, until: number): boolean {
  const last = terms.installments?.at(-1)?.due_at ?? 0;
  const due = terms.installments === null ? (terms.dueAt ?? 0) : last;
  return until > at && until >= due && until <= Math.max(at, last) + 366 * 86_400_000;
}

/** Whether it may be due at `due`: an invoice without installments, and not after its end. */
export const mayBeDueAt = ({ terms: { type, installments, expiresAt } }: Pick<Request, "terms">, due: number) =>
  type === "invoice" && installments === null && (expiresAt === null || due <= expiresAt);

/** The most that can be captured, in minor units: of the oldest open authorization, no more than is due. 0 if none. */
export function capturable(request: Request, at: number): number {
  if (isPaid(request) || request.terms.canceledAt !== null) return 0;
  const hold = request.payments.find((one) => isHeld(one, at));
  const isBlocked = openOnes(request).some(isBusy);
  return hold && !isBlocked ? Math.min(holdOf(hold), dueOf(request)) : 0;
}

/** What can still be refunded of a payment, given what was spent of the credit that was made of it. */
export const refundableOf = (one: TransactionRow, creditSpent = 0): number =>
  one.disputeStatus === "open" ? 0 : keptOf(one, creditSpent) - one.amountDisputed;

/** What refunds and spent credit have left of a payment, whatever a dispute takes. */
export const keptOf = (one: TransactionRow, creditSpent: number): number =>
  one.type === "payment" ? one.amountCaptured - one.amountRefunded - one.amountRefunding - creditSpent : 0;
