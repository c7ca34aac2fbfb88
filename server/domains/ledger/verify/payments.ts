// Proof that each payment request's row follows from its transactions and matches its events.
import { attemptsBetween } from "./attempts";
import { expectThat } from "./fault";
import { proveInstallments } from "./installments";
import { isLink, proveLink, proveUse, usesQuery } from "./links";
import { grouped, pageSize, type Row, type Snapshot } from "./snapshot-store";

const paymentsQuery = `
  select p.id, p.organization_id, p.account_id, p.status, p.amount as stored_amount,
    case when p.custom_amount is null then p.amount end as amount, p.currency, p.amount_paid, p.amount_authorized,
    p.amount_capturable, p.amount_released, p.amount_waived, p.amount_credited, p.amount_overpaid, p.amount_refunded,
    p.amount_disputed, p.dispute_status, p.attempt_count, p.capture_before, p.canceled_at, p.failed_at, p.due_at,
    cast(p.installments as text) as installments, p.paid_at, p.expires_at, p.created_at, p.updated_at,
    case when p.draft is null then 0 else 1 end as is_draft, case when p.is_trial then 1 else 0 end as is_trial,
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

/** Attempts after which a payment request has failed: declined, or left by the payer without a confirmation. */
const mostDeclines = 10;
const mostAbandoned = 50;

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
      proveEvents(payment, events.get(id) ?? []);
      proveUse(payment, attempts.get(id) ?? []);
      proveInstallments(payment);
      if (isLink(payment)) {
        proveLink(payment, uses.get(id)?.[0], attempts.get(id) ?? []);
        continue;
      }
      proveDerived(payment, attempts.get(id) ?? []);
      proveOverpaid(payment, BigInt(surplus.get(id)?.[0]?.amount ?? 0) + lostOf(attempts.get(id) ?? []));
    }
    count += page.length;
    after = String(last.id);
  }
}

const atRow = ({ id }: Row) => ({ check: "payment", paymentId: String(id) }) as const;

/** Compares the row with its events: what was requested, the current status, and when it was paid or canceled. */
function proveEvents(payment: Row, events: readonly Row[]): void {
  const at = atRow(payment);
  const isOwn = payment.account_organization_id === payment.organization_id;
  expectThat(isOwn, at, "The account does not exist or belongs to another organization.");
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
  const firstTime = (is: (event: Row) => boolean) => events.find(is)?.created_at ?? null;
  // After a refund, a payment request that is paid in full has another status.
  const paidAt = firstTime(({ type, status }) => type === "payment.paid" || status === "paid");
  expectThat(payment.paid_at === paidAt, at, `paid_at is ${payment.paid_at}, but an event says ${paidAt}.`);
  const canceledAt = firstTime(({ status }) => status === "canceled");
  const isCanceled = payment.canceled_at === canceledAt;
  expectThat(isCanceled, at, `canceled_at is ${payment.canceled_at}, but an event says ${canceledAt}.`);
}

/** Every amount is a sum over the transactions, and the status follows from them as of the row's last change. */
function proveDerived(payment: Row, attempts: readonly Row[]): void {
  const at = atRow(payment);
  const amount = BigInt(payment.amount ?? 0);
  const sums = sumsOf(attempts, amount);
  const expected = payment.is_trial === 1n ? { ...sums, amount_waived: amount } : sums;
  for (const [name, value] of Object.entries(expected)) {
    expectThat(payment[name] === value, at, `${name} is ${payment[name]}, but the transactions say ${value}.`);
  }
  const declines = failuresSincePaid(attempts, isDecline);
  const abandoned = failuresSincePaid(attempts, isAbandoned);
  const isWithin = declines < mostDeclines && abandoned < mostAbandoned;
  const hasReachedLimit = attempts.filter((attempt) => attempt.provider !== null).length >= mostDeclines;
  // A declined attempt may have succeeded since, so fewer declines may remain than ended the payment request.
  const isExplained = payment.failed_at === null ? isWithin : hasReachedLimit || isUnpaidDraft(payment);
  expectThat(
    isExplained,
    at,
    `failed_at is ${payment.failed_at} after ${declines} declined and ${abandoned} abandoned attempts.`,
  );
  const status = statusOf(payment, attempts);
  expectThat(payment.status === status, at, `The status is ${payment.status}, but the transactions say ${status}.`);
}

/** Whether it was not finalized: it then has a `failed_at` that no attempt explains, and no attempt. */
const isUnpaidDraft = ({ is_draft: isDraft, attempt_count: attempts }: Row): boolean =>
  isDraft === 1n && attempts === 0n;

/** Failures since money was last taken, or at that instant. */
function failuresSincePaid(attempts: readonly Row[], isFailure: (attempt: Row) => boolean): number {
  const settled = (attempt: Row) => BigInt(attempt.settled_at ?? 0);
  const paid = attempts.filter((attempt) => BigInt(attempt.amount_captured ?? 0) > 0n).map(settled);
  return attempts.filter((attempt) => isFailure(attempt) && paid.every((at) => at <= settled(attempt))).length;
}

/** Whether a provider declined the attempt: it reached the provider, and its payer did not leave it unconfirmed. */
const isDecline = ({ provider, status, failure_code: code }: Row): boolean =>
  provider !== null && status === "failed" && code !== "not_received" && code !== "authentication_abandoned";

const isAbandoned = ({ provider, status, failure_code: code }: Row): boolean =>
  provider !== null && status === "failed" && code === "authentication_abandoned";

function proveOverpaid(payment: Row, returnedSurplus: bigint): void {
  const received = BigInt(payment.amount_paid ?? 0) + BigInt(payment.amount_waived ?? 0);
  const rest = received - BigInt(payment.amount ?? 0) - BigInt(payment.amount_credited ?? 0) - returnedSurplus;
  const overpaid = rest > 0n ? rest : 0n;
  const message = `amount_overpaid is ${payment.amount_overpaid}, but the transactions say ${overpaid}.`;
  expectThat(payment.amount_overpaid === overpaid, atRow(payment), message);
}

const sum = (attempts: readonly Row[], name: string): bigint =>
  attempts.reduce((total, attempt) => total + BigInt(attempt[name] ?? 0), 0n);

/** What lost disputes took. */
const lostOf = (attempts: readonly Row[]): bigint =>
  attempts.reduce((total, one) => total + (one.dispute_status === "lost" ? BigInt(one.amount_disputed ?? 0) : 0n), 0n);

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
    attempt_count: BigInt(attempts.filter((attempt) => attempt.provider !== null).length),
    capture_before: ends.reduce<bigint | null>((latest, end) => (latest === null || end > latest ? end : latest), null),
  };
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

/**
 * The status by precedence. A payment request that is not fully paid ends by a command, by too many declines or by
 * time, unless money is in progress. The status of a fully paid one depends on its refunds.
 */
function statusOf(payment: Row, attempts: readonly Row[]): string {
  const now = BigInt(payment.updated_at ?? 0);
  const paid = BigInt(payment.amount_paid ?? 0);
  // What the customer got back, by refunds or by disputes that were lost.
  const returned = BigInt(payment.amount_refunded ?? 0) + lostOf(attempts);
  const isPaid = paid > 0n && paid + BigInt(payment.amount_waived ?? 0) >= BigInt(payment.amount ?? 0);
  const isStored = payment.is_trial === 1n && attempts.some((attempt) => attempt.status === "succeeded");
  const isCovered = isPaid || isStored;
  if (!isCovered) {
    const unpaid = statusOfUnpaid(payment, attempts, now);
    if (unpaid !== null) return unpaid;
  }
  if (payment.dispute_status === "open") return "disputed";
  if (paid > 0n && returned >= paid) return "refunded";
  if (returned > 0n) return "partially_refunded";
  if (isCovered) return "paid";
  return paid > 0n ? "partially_paid" : "pending";
}

function statusOfUnpaid(payment: Row, attempts: readonly Row[], now: bigint): string | null {
  const has = (...statuses: string[]) => attempts.some((attempt) => statuses.includes(String(attempt.status)));
  const lapsed = attempts.filter((attempt) => hasLapsed(attempt, now));
  if (payment.canceled_at !== null) return "canceled";
  if (isUnpaidDraft(payment)) return "draft";
  if (payment.failed_at !== null && !has("requires_action", "processing", "authorized")) return "failed";
  if (payment.dispute_status === "open") return "disputed";
  if (attempts.some((attempt) => attempt.status === "authorized" && !lapsed.includes(attempt))) return "authorized";
  if (has("processing")) return "processing";
  const isPast = payment.expires_at !== null && now >= BigInt(payment.expires_at ?? 0);
  if (lapsed.length > 0 || isPast) return "expired";
  return has("requires_action") ? "requires_action" : null;
}

/** Whether an authorization expired with nothing captured. */
function hasLapsed(attempt: Row, now: bigint): boolean {
  const {
    amount_authorized: authorized,
    amount_captured: captured,
    capture_before: end,
    settled_at: settled,
  } = attempt;
  if (authorized === 0n || captured !== 0n || typeof end !== "bigint") return false;
  const closed = attempt.status === "authorized" ? now : settled;
  return typeof closed === "bigint" && closed >= end;
}
