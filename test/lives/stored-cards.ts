// Attempts to store a card without money, as the rules of payment requests see them, and what must hold of stored cards.
import type { storedMethods } from "@/db/tables";
import type { TransactionRow } from "@/server/domains/transactions/present";
import type { Facts } from "./facts";
import { must, mustEqual } from "./violation";

export type MethodRow = typeof storedMethods.$inferSelect;

/** Whether it is an attempt of its own, and not the card that a charge stored. */
export const isAttempt = ({ transactionId }: MethodRow): boolean => transactionId === null;

/** Whether it is an attempt on the page of a payment request that begins a trial. */
export const isOnPage = (row: MethodRow): boolean => isAttempt(row) && row.cardLink === null;

const statuses = {
  processing: "processing",
  requires_action: "requires_action",
  stored: "succeeded",
  failed: "failed",
} as const;

/** The attempt as a payment that moves no money. */
export function withoutMoney(row: MethodRow): TransactionRow {
  const { id, organizationId, accountId, paymentId, provider, attemptReference, attemptKey, failure, actionUrl } = row;
  const nothing = {
    ...{ amount: 0, amountAuthorized: 0, amountCaptured: 0, amountReleased: 0, amountRefunded: 0, amountRefunding: 0 },
    ...{ amountDisputed: 0, disputeStatus: "none", usesCredit: false, captureBefore: null, captureRequested: null },
  };
  const attempt = {
    ...{ id, organizationId, accountId, paymentId, provider, attemptKey, failure, actionUrl, type: "payment" },
    ...{ status: statuses[row.status], providerReference: attemptReference },
    ...{ settledAt: row.settledAt, createdAt: row.createdAt, effectiveAt: row.createdAt },
  };
  return { ...nothing, ...attempt } as TransactionRow;
}

const isUnderWay = ({ status }: MethodRow): boolean => status === "processing" || status === "requires_action";

/** The attempts that were made with the card link of this hash. */
export const attemptsWith = ({ methods }: Pick<Facts, "methods">, hash: string): MethodRow[] =>
  methods.filter(({ cardLink }) => cardLink === hash);

/** Whether an attempt with this card link still waits for the provider, or for the customer. */
export const isBusy = (facts: Pick<Facts, "methods">, hash: string): boolean =>
  attemptsWith(facts, hash).some(isUnderWay);

/** Invariants 21 and 30: attempts to store a card go on, a card link works once, and its card is charged from then on. */
export function checkCards({ methods, cardLinks, subscriptions, jobs }: Facts): void {
  for (const row of methods.filter(isUnderWay)) {
    const hasJob = jobs.some(({ kind, objectId }) => kind === "payments.look_up_method" && objectId === row.id);
    must(hasJob, "21", `${row.id} is ${row.status}, and no job looks it up`);
  }
  for (const { hash, subscriptionId, usedAt } of cardLinks) {
    const attempts = methods.filter(({ cardLink }) => cardLink === hash);
    must(attempts.filter(isUnderWay).length <= 1, "30", `a card link of ${subscriptionId} has two attempts at once`);
    const stored = attempts.filter(({ status }) => status === "stored");
    mustEqual(stored.length, usedAt === null ? 0 : 1, "30", `cards that a link of ${subscriptionId} stored`);
    const row = subscriptions.find(({ id }) => id === subscriptionId);
    const card = methods.find(({ id }) => id === row?.methodId);
    const [given] = stored;
    if (!given || card?.id === given.id) continue;
    const isNewer = (card?.settledAt ?? 0) >= (given.settledAt ?? 0);
    must(isNewer, "30", `${subscriptionId} charges another card than the one that its link stored`);
  }
  for (const { id, methodId } of subscriptions) {
    const card = methods.find((row) => row.id === methodId);
    must(methodId === null || card?.status === "stored", "30", `${id} charges a card that is ${card?.status}`);
  }
}

/** That we agree with the provider about every attempt to store a card, and that it keeps none now that all is over. */
export function checkStored({ methods, charges }: Facts): void {
  const kept = charges.filter(({ outcome, status }) => outcome.stored && /^(authorized|succeeded)$/.test(status));
  mustEqual(
    kept.map(({ idempotencyKey }) => idempotencyKey),
    [],
    "30",
    "cards that the provider keeps for nobody",
  );
  for (const row of methods.filter(isAttempt)) {
    const charge = charges.find(({ idempotencyKey }) => idempotencyKey === row.id);
    mustEqual(row.attemptReference, charge?.reference ?? null, "13", `${row.id} reference of the provider`);
    // A card that nobody wants any more is not kept, although the provider stored it.
    const isUnwanted = row.failure?.code === "canceled";
    const expected = charge?.status === "succeeded" && !isUnwanted ? "stored" : "failed";
    mustEqual(row.status, expected, "13", `${row.id} status at the provider`);
  }
}
