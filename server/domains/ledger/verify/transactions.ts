// Proof that each transaction's row matches its postings and its first event.
import { proveDispute } from "./disputes";
import { expectThat } from "./fault";
import { grouped, type Row, type Snapshot } from "./snapshot-store";
import {
  announced,
  disputeStepsQuery,
  firstEventsQuery,
  postedQuery,
  refundsQuery,
  transactionsQuery,
} from "./transactions-store";

/** The possible directions and statuses of each type. */
const kinds: Readonly<Record<string, { directions: readonly string[]; statuses: readonly string[] }>> = {
  payment: {
    directions: ["in"],
    statuses:
      "requires_action processing authorized succeeded partially_refunded refunded disputed charged_back failed canceled expired".split(
        " ",
      ),
  },
  refund: { directions: ["out"], statuses: ["pending", "succeeded", "failed"] },
  credit: { directions: ["in"], statuses: ["succeeded"] },
  transfer: { directions: ["out"], statuses: ["succeeded"] },
  adjustment: { directions: ["in", "out"], statuses: ["succeeded"] },
};

/** Credits less debits by ledger account; missing means 0. */
type Posted = Readonly<Record<string, bigint>>;

const atRow = ({ id }: Row) => ({ check: "transaction", transactionId: String(id) }) as const;

/** Proves every transaction. Returns their number. */
export async function proveTransactions(snapshot: Snapshot): Promise<number> {
  let count = 0;
  for (let after = ""; ; ) {
    const page = await snapshot.rows(transactionsQuery, [after]);
    const last = page.at(-1);
    if (!last) return count;
    const range = [after, String(last.id)];
    const posted = grouped(await snapshot.rows(postedQuery, range), "transaction_id");
    const refunds = grouped(await snapshot.rows(refundsQuery, range), "parent_transaction_id");
    const disputes = grouped(await snapshot.rows(disputeStepsQuery, range), "transaction_id");
    const events = grouped(await snapshot.rows(firstEventsQuery, range), "object_id");
    for (const transaction of page) {
      const id = String(transaction.id);
      proveKind(transaction);
      proveEvents(transaction, events.get(id)?.[0]);
      proveRelations(transaction);
      provePosted(transaction, posted.get(id) ?? []);
      proveAmounts(transaction, refunds.get(id) ?? []);
      proveDispute(transaction, disputes.get(id)?.[0]);
    }
    count += page.length;
    after = String(last.id);
  }
}

function proveKind(transaction: Row): void {
  const { type, status, direction } = transaction;
  const kind = kinds[String(type)];
  const isMade = kind?.statuses.includes(String(status)) && kind.directions.includes(String(direction));
  expectThat(isMade === true, atRow(transaction), `A ${type} (${direction}) cannot be ${status}.`);
}

function proveEvents(transaction: Row, event: Row | undefined): void {
  const at = atRow(transaction);
  expectThat(event !== undefined, at, "The transaction has no event.");
  for (const name of [...announced, "organization_id", "created_at"] as const) {
    const isSame = String(transaction[name]) === String(event[name]);
    expectThat(isSame, at, `${name} is ${transaction[name]}, but the first event says ${event[name]}.`);
  }
}

/** The account, payment request, parent and destination share one organization, currency and mode. */
function proveRelations(row: Row): void {
  const at = atRow(row);
  const isOwn = row.account_organization_id === row.organization_id;
  expectThat(isOwn, at, "The account does not exist or belongs to another organization.");
  if (row.payment_id !== null) {
    const { payment_account_id: account, payment_currency: currency, payment_is_live: isLive } = row;
    const fits = account === row.account_id && currency === row.currency && isLive === row.is_live;
    expectThat(fits, at, "The payment request does not exist or has another account, currency or mode.");
  }
  const isAtProvider = row.type === "payment" || row.type === "refund";
  expectThat(isAtProvider || row.provider === null, at, `A ${row.type} has no provider.`);
  const isRefund = row.type === "refund";
  expectThat(isRefund === (row.parent_transaction_id !== null), at, "Refunds, and only refunds, have a parent.");
  if (isRefund) {
    const same = ["account_id", "currency", "payment_id", "provider", "is_live", "is_of_credit"];
    const fits = row.parent_type === "payment" && same.every((name) => row[`parent_${name}`] === row[name]);
    expectThat(fits, at, "The parent is not a payment of the same account, request, provider, currency and mode.");
  }
  const mayBeOfCredit = row.type === "payment" || isRefund;
  const isOfCredit = row.is_of_credit === 1n;
  expectThat(!isOfCredit || (mayBeOfCredit && row.provider === null), at, `A ${row.type} uses no credit.`);
  const isTransfer = row.type === "transfer";
  expectThat(
    isTransfer === (row.destination_account_id !== null),
    at,
    "Transfers, and only transfers, have a destination.",
  );
  if (isTransfer) {
    const fits =
      row.destination_organization_id === row.organization_id && row.destination_account_id !== row.account_id;
    expectThat(fits, at, "The destination is not another account of the organization.");
  }
}

function provePosted(transaction: Row, rows: readonly Row[]): void {
  const at = atRow(transaction);
  const found: Record<string, bigint> = {};
  for (const row of rows) {
    const { currency, is_live: isLive, credited } = row;
    const isInPlace = currency === transaction.currency && isLive === transaction.is_live;
    expectThat(isInPlace, at, "A posting's currency or mode differs from the transaction's.");
    const place = placeOf(transaction, row);
    found[place] = (found[place] ?? 0n) + BigInt(credited ?? 0);
  }
  const expected = expectedOf(transaction);
  for (const place of new Set([...Object.keys(expected), ...Object.keys(found)])) {
    const [implied, posted] = [expected[place] ?? 0n, found[place] ?? 0n];
    expectThat(
      implied === posted,
      at,
      `The ${transaction.type} implies ${implied} for ${place}, but ${posted} was posted.`,
    );
  }
}

/**
 * A ledger account from the transaction's point of view: its name, if it belongs to the account or is the
 * organization's part for it.
 */
function placeOf(transaction: Row, { account_id, for_account_id, name }: Row): string {
  const owner = account_id ?? for_account_id;
  // Which customer's it is, is proved by the sums of credits: a merge moves it under the same transaction.
  if (/^cust:/.test(String(name)) && owner === transaction.account_id) return "credit";
  if (owner === transaction.account_id) return String(name);
  return owner === transaction.destination_account_id ? `destination:${name}` : `${owner}:${name}`;
}

/** The postings that a transaction in its status must have. Debits of an open authorization are negative credits. */
function expectedOf(transaction: Row): Posted {
  const { type, status, direction, provider } = transaction;
  const amount = BigInt(transaction.amount ?? 0);
  const money = provider === null ? "bank" : `provider:${provider}:clearing`;
  if (transaction.is_of_credit === 1n) {
    return type === "payment" ? { available: amount, credit: -amount } : { available: -amount, credit: amount };
  }
  if (type === "payment") {
    const [captured, credited] = [BigInt(transaction.amount_captured ?? 0), BigInt(transaction.credit_made ?? 0)];
    const open = uncaptured(transaction);
    const memo = { "memo:auth_open": -open, "memo:auth_contra": open };
    // A dispute takes its amount from the account and the provider; while it is open, the account's share is held.
    const disputed = BigInt(transaction.amount_disputed ?? 0);
    const inDispute = transaction.dispute_status === "open" ? disputed : 0n;
    return {
      available: captured - credited - disputed,
      held: inDispute,
      credit: credited,
      [money]: disputed - captured,
      "dispute:in_flight": -inDispute,
      ...memo,
    };
  }
  if (type === "refund") {
    const taken = BigInt(transaction.credit_taken_back ?? 0);
    if (status === "failed") return {};
    return {
      available: taken - amount,
      credit: -taken,
      [status === "pending" ? "refund_pending" : money]: amount,
    };
  }
  if (type === "credit") return { available: amount, "expense:goodwill": -amount };
  if (type === "transfer") return { available: -amount, "destination:available": amount };
  const signed = direction === "in" ? amount : -amount;
  return { available: signed, "suspense:adjust": -signed };
}

/** The amount authorized but neither captured nor released. */
const uncaptured = (payment: Row): bigint =>
  BigInt(payment.amount_authorized ?? 0) - BigInt(payment.amount_captured ?? 0) - BigInt(payment.amount_released ?? 0);

/** Proves a transaction's amounts against each other, its refunds and its status. */
function proveAmounts(row: Row, refunds: readonly Row[]): void {
  const at = atRow(row);
  const sumOf = (status: string) => BigInt(refunds.find((refund) => refund.status === status)?.amount ?? 0);
  const isHeld = BigInt(row.amount_authorized ?? 0) > 0n;
  const isPayment = row.type === "payment";
  const expected: Row = {
    fee_amount: 0n,
    amount_refunded: sumOf("succeeded"),
    amount_refunding: sumOf("pending"),
    amount_authorized: isPayment && (isHeld || row.provider === null) ? (row.amount ?? 0n) : 0n,
    ...(isPayment ? {} : { amount_captured: 0n, amount_released: 0n }),
  };
  for (const [name, value] of Object.entries(expected)) {
    expectThat(row[name] === value, at, `${name} is ${row[name]}, but the other rows imply ${value}.`);
  }
  const surplus = BigInt(row.amount_surplus ?? 0);
  const mayBeSurplus = row.type === "refund" && row.payment_id !== null;
  const isWithin = surplus >= 0n && surplus <= (mayBeSurplus ? BigInt(row.amount ?? 0) : 0n);
  expectThat(isWithin, at, `amount_surplus is ${surplus}: more than was refunded, or not on a refund.`);
  const isAuthorized = row.status === "authorized";
  const requested = row.capture_requested;
  const isOrderly = typeof requested !== "bigint" || (isAuthorized && requested > 0n && requested <= uncaptured(row));
  expectThat(isOrderly, at, `A capture of ${requested} cannot be in progress.`);
  if (isPayment) proveStatus(row, isAuthorized);
  const rest = BigInt(row.amount_captured ?? 0) - sumOf("succeeded") - sumOf("pending") - BigInt(row.credit_spent ?? 0);
  expectThat(!isPayment || rest >= 0n, at, `${-rest} more was refunded, or spent as credit, than was captured.`);
}

function proveStatus(row: Row, isAuthorized: boolean): void {
  const at = atRow(row);
  const rest = uncaptured(row);
  const [captured, refunded] = [BigInt(row.amount_captured ?? 0), BigInt(row.amount_refunded ?? 0)];
  expectThat(captured >= 0n && BigInt(row.amount_released ?? 0) >= 0n, at, "An amount is negative.");
  expectThat(isAuthorized ? rest > 0n : rest === 0n, at, `${rest} is neither captured nor released.`);
  if (captured > 0n && !isAuthorized) {
    const status = takenStatus(row, captured, refunded);
    expectThat(row.status === status, at, `The payment is ${row.status}, but its amounts imply ${status}.`);
  } else {
    const isAtRest = ["succeeded", "refunded", "partially_refunded", "disputed", "charged_back"].includes(
      String(row.status),
    );
    expectThat(!isAtRest, at, `The payment is ${row.status}, but nothing was captured.`);
  }
}

/** The status of a payment of which money was taken. A dispute that is open or lost comes first. */
function takenStatus({ dispute_status: dispute }: Row, captured: bigint, refunded: bigint): string {
  if (dispute === "open") return "disputed";
  if (dispute === "lost") return "charged_back";
  if (refunded === 0n) return "succeeded";
  return refunded === captured ? "refunded" : "partially_refunded";
}
