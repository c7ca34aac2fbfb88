// What must hold for due dates: each that passes while its payment request waits for its payer is announced once.
import { type Facts, paymentsOf } from "./facts";
import * as spec from "./spec";
import { leftOf } from "./spec-parts";
import { must, mustEqual } from "./violation";

/** The statuses of a payment request that waits for its payer. */
const waiting = [
  "pending",
  "partially_paid",
  "requires_action",
  "failed",
  "partially_refunded",
  "refunded",
  "disputed",
];

/** Invariants 10, 20 and 21, for due dates. */
export function checkOverdue(facts: Facts): void {
  const announced = facts.events.filter(({ type }) => type === "payment.overdue");
  for (const row of facts.payments) {
    const name = `the due date of ${row.id}`;
    const own = announced.filter(({ objectId }) => objectId === row.id);
    const dates = own.map(({ data }) => Date.parse(String(data.due_at)));
    mustEqual(dates, [...new Set(dates)], "10", `${name}: what was announced`);
    for (const [i, { data, createdAt }] of own.entries()) {
      must(createdAt > (dates[i] ?? 0), "20", `${name} was announced before it had passed`);
      must(waiting.includes(String(data.status)), "20", `${name} was announced while ${data.status}`);
    }
    if (row.usageLimit !== 1 || row.dueAt === null) continue;
    const request = { terms: row, payments: paymentsOf(facts, row.id) };
    const isWaiting = row.disputeStatus !== "open" && waiting.includes(spec.statusOf(request, facts.now));
    const waits = isWaiting && spec.dueOf(request) > 0;
    const job = facts.jobs.find(({ kind, objectId }) => kind === "payments.overdue" && objectId === row.id);
    const open = row.installments?.filter((_, i) => leftOf(request)[i] !== 0).map((one) => one.due_at) ?? [row.dueAt];
    const isKnown = open.every((date) => dates.includes(date));
    must(!waits || job !== undefined || isKnown, "21", `${name} has no job`);
    // That of installments moves on when it runs.
    const isTimely = row.installments !== null || (job?.dueAt ?? 0) <= row.dueAt + 1;
    must(!waits || isKnown || isTimely, "21", `${name} is announced too late`);
  }
}
