// What a PATCH makes of a payment request: which fields may change in which state, and what follows from the change.
import { checkMay } from "@/server/access/may";
import { rules } from "@/server/access/rules";
import type { Addressed } from "@/server/domains/customers/addressed";
import { schedule, unschedule } from "@/server/domains/jobs/queue";
import { changedValues } from "@/server/domains/records/changes";
import { checkVerifiedEmail } from "@/server/domains/users/verified";
import type { AuditRecord, WriteContext } from "@/server/kit/context";
import type { Fail } from "@/server/kit/operation";
import { isoOrNull } from "@/server/process/clock";
import { isDraft, type PaymentFacts } from "./derive";
import { followDueDate } from "./overdue";
import { moveReminders, replanReminders } from "./reminder-plan";
import { isOpenToChange } from "./rules";
import type { PaymentRow } from "./store";

/** What still may change once a payment request is final. */
const openFields = ["customer", "description", "due_at", "expires_at", "metadata", "paused", "reminders"];

/** Refuses the first field that may not change in the state of the payment request at `now`. */
export function checkFields(
  fields: readonly string[],
  { facts, hasPlan }: { facts: PaymentFacts; hasPlan: boolean },
  now: number,
  fail: Fail<"payment_not_updatable">,
): void {
  if (fields.includes("paused") && (facts.usage === null || isDraft(facts))) {
    fail("payment_not_updatable", "paused: only a reusable link that is open can be paused");
  }
  if (isDraft(facts)) return;
  if (hasPlan && fields.includes("due_at")) {
    fail("payment_not_updatable", "due_at: follows from the installments");
  }
  const isOpen = isOpenToChange(facts, now);
  const refused = fields.find((field) => !(isOpen ? openFields : ["metadata"]).includes(field));
  if (refused === undefined) return;
  const why = isOpen ? "can only be changed while it is a draft" : "cannot be changed, because it is paid or has ended";
  fail("payment_not_updatable", `${refused}: ${why}`);
}

/** Checks that the caller may have reminders sent to the customer. */
export async function checkMayRemind(ctx: WriteContext, fail: Fail<"insufficient_permissions">): Promise<void> {
  checkMay("mails.send", ctx.actor, fail);
  await checkVerifiedEmail(ctx.db, rules["mails.send"], ctx.actor);
}

/** Follows a final payment request, which the caller has locked, with its expiry, its due date and its reminders. */
export async function followChange(
  ctx: WriteContext,
  before: PaymentRow,
  after: PaymentRow,
  offsets: readonly number[] | undefined,
): Promise<void> {
  const { id: objectId, organizationId, expiresAt } = after;
  if (expiresAt === null) await unschedule(ctx, "payments.expire", objectId);
  else if (expiresAt !== before.expiresAt)
    await schedule(ctx, { kind: "payments.expire", organizationId, objectId, dueAt: expiresAt });
  await followDueDate(ctx, before, after);
  if (offsets) await replanReminders(ctx, after, offsets);
  else await moveReminders(ctx, after);
}

/** What the audit log says about a change: codes, amounts and dates before and after, and whose request it was. */
export function auditOf(before: PaymentRow, after: PaymentRow, fields: readonly string[]): AuditRecord {
  const [was, is] = [shownOf(before), shownOf(after)];
  const changed = Object.keys(was).filter((name) => was[name] !== is[name]);
  const pick = (values: typeof was) => Object.fromEntries(changed.map((name) => [name, values[name]]));
  const detail = { fields, ...(changed.length > 0 && { before: pick(was), after: pick(is) }) };
  const values = addressChange(before, after);
  const hasValues = before.customerId !== null && Object.keys(values).length > 0;
  return { target: after.id, detail, ...(hasValues && { changes: { subject: before.customerId ?? "", values } }) };
}

const shownOf = (row: PaymentRow): Record<string, string | number | null> => ({
  ...{ type: row.type, amount: row.amount, currency: row.currency, capture_method: row.captureMethod },
  ...{ expires_at: isoOrNull(row.expiresAt), due_at: isoOrNull(row.dueAt), customer_id: row.customerId },
  paused_at: isoOrNull(row.pausedAt),
});

/**
 * The personal values in the snapshot of the former customer, with whom they are erased. Those of a new customer are
 * only in the row: the next change makes them former values, too.
 */
function addressChange(before: PaymentRow, after: PaymentRow) {
  const valuesOf = ({ customer }: Pick<Addressed, "customer">) => ({
    ...{ name: customer?.name ?? null, email: customer?.email ?? null, reference: customer?.reference ?? null },
  });
  const isSame = before.customerId === after.customerId;
  return changedValues(valuesOf(before), valuesOf(isSame ? after : { customer: null }));
}
