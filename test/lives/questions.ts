// Questions that the steps of a life and its checks ask about the facts.
import { type Facts, paymentsOf } from "./facts";
import { isPausedWithLink, isShutOut } from "./link-facts";
import * as spec from "./spec";

/** The payment request as the rules see it. */
export function requestOf(facts: Facts, id: string): spec.Request {
  const terms = facts.payments.find((row) => row.id === id);
  if (!terms) throw new Error(`No payment request ${id}.`);
  return { terms, payments: paymentsOf(facts, id), isShutOut: isShutOut(facts, terms) };
}

/** Whether a payer may start to pay by card at an instant. */
export const mayPayByCard = (facts: Facts, id: string, at: number): boolean =>
  !isPausedWithLink(facts, id) && spec.mayPay(requestOf(facts, id), at);

/** Whether the account is open. */
export const isOpen = (facts: Facts, accountId: string): boolean =>
  facts.accounts.some(({ id, status }) => id === accountId && status === "open");

/** Whether payers may begin to pay the account: it is open, and its owner has not been removed. */
export const isAvailable = (facts: Facts, accountId: string): boolean =>
  facts.accounts.some(({ id, status, ownerUserId }) => id === accountId && status === "open" && ownerUserId !== null);

/** Whether the account is open and the user owns it; null means the admin, who acts for every account. */
export const mayAct = (facts: Facts, userId: string | null, accountId: string): boolean =>
  facts.accounts.some(
    (one) => one.id === accountId && one.status === "open" && (userId === null || one.ownerUserId === userId),
  );

/** Whether the session has not ended. */
export const isLive = ({ sessions }: Facts, sessionId: string): boolean =>
  sessions.some(({ id, status }) => id === sessionId && status === "active");

/** Minor units available on an account, which has one currency in these tests. */
export const availableOf = ({ ledgerAccounts }: Facts, accountId: string): number =>
  ledgerAccounts.find((one) => one.accountId === accountId && one.name === "available")?.balance ?? 0;

/** Whether this is the provider's charge for a transaction, and was released. */
export const isReleased = ({ idempotencyKey, status }: Facts["charges"][number], id: string): boolean =>
  idempotencyKey === id && status === "canceled";

export const overpaidOf = (facts: Facts, id: string): number =>
  facts.payments.find((row) => row.id === id)?.amountOverpaid ?? 0;

/** The surplus that no refund has given back or is about to give back. */
export function surplusLeft(facts: Facts, id: string): number {
  const refunds = facts.transactions.filter((row) => row.paymentId === id && row.type === "refund");
  const given = (status: string) =>
    refunds.reduce((sum, row) => sum + (row.status === status ? row.amountSurplus : 0), 0);
  const credited = facts.payments.find((row) => row.id === id)?.amountCredited ?? 0;
  return spec.overpaidOf(requestOf(facts, id), given("succeeded") + credited) - given("pending");
}
