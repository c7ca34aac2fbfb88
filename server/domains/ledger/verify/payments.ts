// Proof that each payment request's row follows from its transactions and matches its events.
import { attemptsBetween } from "./attempts";
import { proveFailure } from "./failures";
import { expectThat } from "./fault";
import { proveInstallments } from "./installments";
import { isLink, proveLink, proveUse, usesQuery } from "./links";
import { lostOf, statusOf } from "./payment-status";
import { grouped, pageSize, type Row, type Snapshot } from "./snapshot-store";

const paymentsQuery = `
  select p.id, p.organization_id, p.account_id, p.status, p.amount, p.currency, p.amount_paid, p.amount_authorized,
    p.amount_capturable, p.amount_released, p.amount_waived, p.amount_credited, p.amount_overpaid, p.amount_refunded,
    p.amount_lost, p.amount_reopened, p.amount_written_off, p.paid_late_at,
    p.amount_disputed, p.dispute_status, p.attempt_count, p.capture_before, p.canceled_at, p.failed_at, p.due_at,
    cast(p.installments as text) as installments, p.paid_at, p.expires_at, p.extended_at, p.cards_allowed_at,
    p.created_at, p.updated_at,
    case when p.draft is null then 0 else 1 end as is_draft,
    case when p.custom_amount is null then 0 else 1 end as is_chosen, case when p.is_trial then 1 else 0 end as is_trial,
    p.usage_limit, p.uses_count, p.uses_reserved, p.place, p.parent_payment_id,
    l.account_id as link_account_id, l.usage_limit as link_usage_limit,
    case when p.livemode then 'true' else 'false' end as livemode, a.organization_id as account_organization_id
  from payments p left join accounts a on a.id = p.account_id left join payments l on l.id = p.parent_payment_id
  where p.id > ? order by p.id limit ${pageSize}`;

/** The surplus that successful refunds returned. */
const surplusQuery = `
  select payment_id, sum(amount_surplus) as amount from transactions
  where payment_id > ? and payment_id <= ? and type = 'refund' and status = 'succeeded' group by payment_id`;

const eventsQuery = `
  select object_id, organization_id, account_id, sequence, created_at, type, data->>'status' as status,
    data->>'amount' as amount, data->>'currency' as currency,
    case cast(data->>'livemode' as text) when 'true' then 'true' when '1' then 'true' else 'false' end as livemode
  from events where object_id > ? and object_id <= ? order by object_id, sequence`;

/** Proves every payment request, given that its transactions are sound. Returns their number. */
export async function provePayments(snapshot: Snapshot): Promise<number> {
  let count = 0;
  for (let after = ""; ; ) {
    const page = await snapshot.rows(paymentsQuery, [after]);
    const last = page.at(-1);
    if (!last) return count;
    const range = [after, String(last.id)];
    const attempts = await attemptsBetween(snapshot, range);
    const surplus = grouped(await snapshot.rows(surplusQuery, range), "payment_id");
    const events = grouped(await snapshot.rows(eventsQuery, range), "object_id");
    const uses = grouped(await snapshot.rows(usesQuery, range), "parent_payment_id");
    for (const payment of page) {
      const id = String(payment.id);
      const paidBy = proveEvents(payment, events.get(id) ?? []);
      proveArrival(payment, attempts.get(id) ?? [], paidBy);
      proveUse(payment, attempts.get(id) ?? []);
      proveInstallments(payment);
      if (isLink(payment)) {
        proveLink(payment, uses.get(id)?.[0], attempts.get(id) ?? []);
        continue;
      }
      proveDerived(payment, attempts.get(id) ?? []);
      proveBalance(payment, BigInt(surplus.get(id)?.[0]?.amount ?? 0) + lostOf(attempts.get(id) ?? []));
    }
    count += page.length;
    after = String(last.id);
  }
}

const atRow = ({ id }: Row) => ({ check: "payment", paymentId: String(id) }) as const;

/**
 * Compares the row with its events: what was requested, the current status, and when it was canceled. Returns when it was
 * paid by them.
 */
function proveEvents(payment: Row, events: readonly Row[]): Row[string] {
  const at = atRow(payment);
  const isOwn = payment.account_organization_id === payment.organization_id;
  expectThat(isOwn, at, "The account does not exist or belongs to another organization.");
  const hasAmount = payment.amount !== null;
  expectThat(
    hasAmount === (payment.is_chosen === 0n),
    at,
    "An amount is missing, or is set although payers choose it.",
  );
  const first = events[0];
  expectThat(first !== undefined, at, "The payment request has no event.");
  for (const name of ["organization_id", "account_id", "created_at"]) {
    const isSame = String(payment[name]) === String(first[name]);
    expectThat(isSame, at, `${name} is ${payment[name]}, but the first event says ${first[name]}.`);
  }
  // What was requested may change in a draft, and never again.
  const agreed = events.find(({ status }) => status !== "draft") ?? events.at(-1) ?? first;
  for (const name of ["amount", "currency", "livemode"]) {
    const isSame = String(payment[name]) === String(agreed[name]);
    expectThat(isSame, at, `${name} is ${payment[name]}, but the event ${agreed.sequence} says ${agreed[name]}.`);
  }
  for (const [i, { sequence }] of events.entries()) {
    expectThat(sequence === BigInt(i + 1), at, `Event ${i + 1} of the payment request is missing.`);
  }
  const announced = events.at(-1)?.status;
  expectThat(
    payment.status === announced,
    at,
    `The status is ${payment.status}, but the last event says ${announced}.`,
  );
  const firstTime = (is: (event: Row) => boolean, own = events) => own.find(is)?.created_at ?? null;
  const reopened = events.findLastIndex(({ type }) => type === "payment.reopened");
  // After a refund, a payment request that is paid in full has another status.
  const isPaid = ({ type, status }: Row) => type === "payment.paid" || status === "paid";
  const canceledAt = firstTime(({ status }) => status === "canceled");
  const isCanceled = payment.canceled_at === canceledAt;
  expectThat(isCanceled, at, `canceled_at is ${payment.canceled_at}, but an event says ${canceledAt}.`);
  return firstTime(isPaid, events.slice(reopened + 1));
}

/** Compares when it was paid with when the money of one of its payments moved; where none has, with its event. */
function proveArrival(payment: Row, attempts: readonly Row[], paidBy: Row[string]): void {
  const arrived = attempts.filter((attempt) => BigInt(attempt.amount_captured ?? 0) > 0n);
  const isKnown = arrived.some((attempt) => attempt.effective_at === payment.paid_at);
  const isSound = paidBy === null || arrived.length === 0 ? payment.paid_at === paidBy : isKnown;
  const message = `paid_at is ${payment.paid_at}, but an event says ${paidBy}, and the transactions another time.`;
  expectThat(isSound, atRow(payment), message);
}

/** Every amount is a sum over the transactions, and the status follows from them as of the row's last change. */
function proveDerived(payment: Row, attempts: readonly Row[]): void {
  const at = atRow(payment);
  const amount = BigInt(payment.amount ?? 0);
  const sums = sumsOf(attempts, amount + BigInt(payment.amount_reopened ?? 0));
  const expected = payment.is_trial === 1n ? { ...sums, amount_waived: amount } : sums;
  for (const [name, value] of Object.entries(expected)) {
    expectThat(payment[name] === value, at, `${name} is ${payment[name]}, but the transactions say ${value}.`);
  }
  proveFailure(payment, attempts);
  const status = statusOf(payment, attempts);
  expectThat(payment.status === status, at, `The status is ${payment.status}, but the transactions say ${status}.`);
}

/**
 * Compares what was received, is due and was given up with what is asked for and was returned: the difference is surplus,
 * or what lost disputes took and nobody has decided about. Nobody decides about more than they took.
 */
function proveBalance(payment: Row, returned: bigint): void {
  const of = (name: string) => BigInt(payment[name] ?? 0);
  const [asked, received] = [of("amount") + of("amount_reopened"), of("amount_paid") + of("amount_waived")];
  const given = received + (asked > received ? asked - received : 0n) + of("amount_written_off");
  const rest = given - of("amount") - of("amount_credited") - returned;
  const expected = { amount_overpaid: rest > 0n ? rest : 0n, amount_lost: rest < 0n ? -rest : 0n };
  for (const [name, value] of Object.entries(expected)) {
    const message = `${name} is ${payment[name]}, but the transactions say ${value}.`;
    expectThat(payment[name] === value, atRow(payment), message);
  }
}

const sum = (attempts: readonly Row[], name: string): bigint =>
  attempts.reduce((total, attempt) => total + BigInt(attempt[name] ?? 0), 0n);

function sumsOf(attempts: readonly Row[], amount: bigint): Row {
  const authorized = attempts.filter((attempt) => attempt.status === "authorized");
  const open = (name: string) => sum(authorized, name);
  const ends = authorized.flatMap(({ capture_before: end }) => (typeof end === "bigint" ? [end] : []));
  return {
    amount_paid: sum(attempts, "amount_captured"),
    amount_authorized: sum(attempts, "amount_authorized"),
    amount_capturable: open("amount_authorized") - open("amount_captured") - open("amount_released"),
    amount_released: sum(attempts, "amount_released"),
    amount_waived: waivedOf(attempts, amount),
    amount_refunded: sum(attempts, "amount_refunded"),
    amount_disputed: sum(attempts, "amount_disputed"),
    dispute_status: disputeOf(attempts),
    amount_credited: sum(attempts, "amount_credited"),
    paid_late_at: lateOf(attempts),
    attempt_count: BigInt(attempts.filter((attempt) => attempt.provider !== null).length),
    capture_before: ends.reduce<bigint | null>((latest, end) => (latest === null || end > latest ? end : latest), null),
  };
}

/** When the first payment arrived late that nobody has accepted, and of which something is left. */
function lateOf(attempts: readonly Row[]): bigint | null {
  const left = (one: Row) => BigInt(one.amount_captured ?? 0) - BigInt(one.amount_refunded ?? 0) - lostOf([one]);
  const times = attempts.flatMap((one) => (typeof one.late_at === "bigint" && left(one) > 0n ? [one.late_at] : []));
  return times.reduce<bigint | null>((first, at) => (first === null || at < first ? at : first), null);
}

/** The most urgent dispute of the attempts. */
const disputeOf = (attempts: readonly Row[]): string =>
  ["open", "lost", "won"].find((status) => attempts.some((attempt) => attempt.dispute_status === status)) ?? "none";

/** What partial captures released, each up to the amount that was due at that time. */
function waivedOf(attempts: readonly Row[], amount: bigint): bigint {
  const captures = attempts
    .filter((attempt) => BigInt(attempt.amount_captured ?? 0) > 0n)
    .map((attempt) => ({ at: BigInt(attempt.settled_at ?? 0), id: String(attempt.id), attempt }))
    .sort((a, b) => (a.at === b.at ? (a.id < b.id ? -1 : 1) : a.at < b.at ? -1 : 1));
  let paid = 0n;
  let waived = 0n;
  for (const { attempt } of captures) {
    paid += BigInt(attempt.amount_captured ?? 0);
    const [released, rest] = [BigInt(attempt.amount_released ?? 0), amount - paid - waived];
    if (rest > 0n) waived += released < rest ? released : rest;
  }
  return waived;
}
