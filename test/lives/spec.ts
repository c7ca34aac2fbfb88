// The rules of payment requests a second time, for tests: it shares no code with the product's, so neither hides a flaw
// of the other.
import type { PaymentStatus } from "@/server/domains/payments/rules";
import type { PaymentRow } from "@/server/domains/payments/store";
import type { TransactionRow } from "@/server/domains/transactions/present";
import type { TransactionStatus } from "@/server/domains/transactions/rules";

/** What decides about a payment request. */
export type Terms = Pick<
  PaymentRow,
  "type" | "amount" | "expiresAt" | "draft" | "canceledAt" | "failedAt" | "parentPaymentId" | "isTrial" | PartTerms
>;
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
  if (terms.isTrial) return terms.amount;
  const captured = payments.filter((one) => one.amountCaptured > 0);
  captured.sort((a, b) => (a.settledAt ?? 0) - (b.settledAt ?? 0) || a.id.localeCompare(b.id, "en"));
  let missing = terms.amount;
  const waived = captured.map((one) => {
    missing = missing - one.amountCaptured;
    const given = Math.min(one.amountReleased, Math.max(missing, 0));
    missing = missing - given;
    return given;
  });
  return sum(waived);
}

/** Minor units paid and waived above the amount, or below zero what is missing. */
const balanceOf = (request: Request): number => paidOf(request) + waivedOf(request) - request.terms.amount;

export const dueOf = (request: Request): number => Math.max(0, -balanceOf(request));

/** Minor units paid above the amount, less what became credit, what refunds gave back, and what lost disputes took. */
export const overpaidOf = (request: Request, settled: number): number =>
  Math.max(0, balanceOf(request) - settled - lostOf(request));

/** Minor units of the surplus that lost disputes took. */
export const surplusLostOf = (request: Request, settled: number): number =>
  Math.max(0, Math.min(lostOf(request), balanceOf(request) - settled));

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
  (terms.expiresAt !== null && terms.expiresAt <= at) || payments.some((one) => wasLost(one, at));

/** The status of a payment request at an instant. */
export function statusOf(request: Request, at: number): PaymentStatus {
  const { terms, payments } = request;
  if (!isPaid(request)) {
    if (terms.canceledAt !== null) return "canceled";
    if (terms.draft !== null) return "draft";
    if (terms.failedAt !== null && openOnes(request).length === 0) return "failed";
    if (isDisputed(request)) return "disputed";
    if (payments.some((one) => isHeld(one, at))) return "authorized";
    if (payments.some(({ status }) => status === "processing")) return "processing";
    if (isOverdue(request, at)) return "expired";
    if (payments.some(({ status }) => status === "requires_action")) return "requires_action";
  }
  if (isDisputed(request)) return "disputed";
  const [paid, returned] = [paidOf(request), sum(payments.map((one) => one.amountRefunded)) + lostOf(request)];
  if (paid === 0) return isPaid(request) ? "paid" : "pending";
  if (returned >= paid) return "refunded";
  if (returned > 0) return "partially_refunded";
  return isPaid(request) ? "paid" : "partially_paid";
}

/** Whether a customer has asked the bank for its money back, and nothing is decided. */
const isDisputed = ({ payments }: Pick<Request, "payments">): boolean =>
  payments.some(({ disputeStatus }) => disputeStatus === "open");

/** Minor units that lost disputes took. */
const lostOf = ({ payments }: Request): number =>
  sum(payments.map((one) => (one.disputeStatus === "lost" ? one.amountDisputed : 0)));

/** Whether a payer may start to pay, or a merchant record money: something is due, and nothing is open or over. */
export const mayPay = (request: Request, at: number): boolean =>
  !request.isShutOut &&
  !isPaid(request) &&
  !isDisputed(request) &&
  request.terms.draft === null &&
  request.terms.canceledAt === null &&
  request.terms.failedAt === null &&
  openOnes(request).every((one) => wasLost(one, at)) &&
  !isOverdue(request, at);

/** Whether an attempt may still take money although the merchant decides nothing more. */
const isBusy = (one: TransactionRow, at: number): boolean =>
  one.status !== "authorized" || (one.captureRequested !== null && !wasLost(one, at));

/** Whether it is a draft. Those that are canceled never become final. */
export const mayFinalize = ({ terms }: Pick<Request, "terms">): boolean =>
  terms.draft !== null && terms.canceledAt === null;

/** Whether a final request may get another description or date: it has not ended, even if money is on its way. */
export const mayChange = (request: Request, at: number): boolean =>
  request.terms.draft === null &&
  !isPaid(request) &&
  !isDisputed(request) &&
  request.terms.canceledAt === null &&
  request.terms.failedAt === null &&
  !isOverdue(request, at);

export function mayCancel(request: Request, at: number): boolean {
  const open = openOnes(request);
  if (mayFinalize(request)) return true;
  if (isPaid(request) || isDisputed(request) || request.terms.canceledAt !== null) return false;
  if (open.some((one) => isBusy(one, at))) return false;
  const hasFailed = request.terms.failedAt !== null && open.length === 0;
  return hasFailed || open.some((one) => isHeld(one, at)) || !isOverdue(request, at);
}

/** Whether the expiry may be moved to `until`. Neither a command, the payers' money, nor a lost hold has ended it. */
export function mayExtend({ terms, payments }: Request, at: number, until: number): boolean {
  const { expiresAt, canceledAt, failedAt } = terms;
  const isOver = isPaid({ terms, payments }) || terms.draft !== null || canceledAt !== null || failedAt !== null;
  if (isOver || isDisputed({ payments }) || expiresAt === null || payments.some((one) => wasLost(one, at)))
    return false;
  return until > expiresAt && mayExpireAt({ terms }, at, until);
}

/** Whether the payer may ask for a new link: it has expired by time alone. */
export const mayAskForLink = (request: Request, at: number): boolean =>
  statusOf(request, at) === "expired" && !request.payments.some((one) => wasLost(one, at));

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
  const isBlocked = openOnes(request).some((one) => isBusy(one, at));
  return hold && !isBlocked ? Math.min(holdOf(hold), dueOf(request)) : 0;
}

/** What can still be refunded of a payment, given what was spent of the credit that was made of it. */
export const refundableOf = (one: TransactionRow, creditSpent = 0): number =>
  one.disputeStatus === "open" ? 0 : keptOf(one, creditSpent) - one.amountDisputed;

/** What refunds and spent credit have left of a payment, whatever a dispute takes. */
export const keptOf = (one: TransactionRow, creditSpent: number): number =>
  one.type === "payment" ? one.amountCaptured - one.amountRefunded - one.amountRefunding - creditSpent : 0;

/** Statuses that a payment request waits in: what follows an attempt that ended without money. */
const waiting: PaymentStatus[] = ["pending", "partially_paid", "partially_refunded", "refunded"];
const attempted: PaymentStatus[] = ["requires_action", "processing", "authorized"];
const ended: PaymentStatus[] = ["failed", "canceled", "expired"];

/** The status after each status. Stricter than the product's table, which also allows for corrections of a clock. */
const after: Partial<Record<PaymentStatus, PaymentStatus[]>> = {
  draft: ["pending", "canceled"],
  pending: [...attempted, "partially_paid", "paid", ...ended],
  requires_action: ["processing", "authorized", "paid", "disputed", ...waiting, ...ended],
  processing: ["requires_action", "authorized", "paid", "disputed", ...waiting, ...ended],
  authorized: ["paid", "disputed", ...waiting, "canceled", "expired"],
  partially_paid: [...attempted, "paid", "partially_refunded", "refunded", "disputed", ...ended],
  paid: ["partially_refunded", "refunded", "disputed"],
  partially_refunded: [...attempted, "paid", "partially_paid", "refunded", "disputed", ...ended],
  refunded: [...attempted, "paid", "partially_paid", "partially_refunded", "disputed", ...ended],
  disputed: [...attempted, "paid", "partially_paid", "partially_refunded", "refunded", ...ended],
  // Money that arrives after the end counts, what a payer confirmed before it continues, and a stored card is charged.
  failed: ["canceled", "processing", "authorized", "paid", "partially_refunded"],
  canceled: ["paid", "partially_refunded"],
  expired: ["processing", "authorized", "paid", "partially_refunded", "disputed", "canceled"],
};

/** The statuses that an expired payment request returns to if it is extended, or was expired by a wrong clock. */
const reopened: PaymentStatus[] = [...waiting, "requires_action"];

export const mayBecome = (from: PaymentStatus, to: PaymentStatus): boolean => after[from]?.includes(to) ?? false;

export const mayReopen = (from: PaymentStatus, to: PaymentStatus): boolean =>
  from === "expired" && reopened.includes(to);

const moneyTaken: TransactionStatus[] = ["succeeded", "partially_refunded", "refunded"];

/** The statuses that a transaction announces by an event, by the previous one announced. Others have no event. */
const announcedAfter: Record<TransactionRow["type"], Partial<Record<TransactionStatus, TransactionStatus[]>>> = {
  payment: {
    processing: ["succeeded", "failed", "canceled", "expired"],
    // The provider took the money after all, or a charge that was given up was held and is then released.
    failed: ["succeeded", "canceled", "expired"],
    canceled: ["succeeded"],
    expired: ["succeeded"],
    succeeded: ["disputed"],
    disputed: [...moneyTaken, "charged_back"],
  },
  refund: { pending: ["succeeded", "failed"], succeeded: ["failed"] },
  credit: {},
  transfer: {},
  adjustment: {},
};

/** Whether a transaction that announced the status `from` may announce `to`. */
export const mayAnnounce = (type: TransactionRow["type"], from: TransactionStatus, to: TransactionStatus): boolean =>
  announcedAfter[type][from]?.includes(to) ?? false;

/** The status of a payment whose money was taken, from its amounts. */
export function takenStatus({ amountCaptured, amountRefunded, disputeStatus }: TransactionRow): TransactionStatus {
  if (disputeStatus === "open") return "disputed";
  if (disputeStatus === "lost") return "charged_back";
  const [whole, part, all] = moneyTaken;
  const status = amountRefunded === 0 ? whole : amountRefunded < amountCaptured ? part : all;
  return status ?? "succeeded";
}
