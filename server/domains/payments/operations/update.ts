// PATCH /v1/payments/{payment_id}: changes a draft in every field, and in a few one that is open.

import { isDeepStrictEqual } from "node:util";
import type { Reader } from "@/db/client";
import { LostRace } from "@/db/errors";
import { rules } from "@/server/access/rules";
import { accountFor } from "@/server/domains/accounts/authorized-account";
import { mergeMetadata } from "@/server/domains/accounts/rules";
import type { Addressed } from "@/server/domains/customers/addressed";
import { isEmailOfOthers } from "@/server/domains/customers/store";
import { forgetFormerCustomer } from "@/server/domains/mails/store";
import type { WriteContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import { type Fail, operation } from "@/server/kit/operation";
import { matchesVersion } from "@/server/kit/version";
import { announce } from "../announce";
import { auditOf, checkFields, checkMayRemind, followChange } from "../change";
import { checkContent, checkExpiry, checkReturnUrls, columnsOf, contentOf, expiryOf } from "../content";
import { addressColumns, addresseeOfInput } from "../customers";
import { isDraft, isUnderWay, type PaymentFacts } from "../derive";
import { timezoneOf } from "../due-date";
import { factsOf } from "../facts";
import { type Content, type PaymentPatch, paymentPatch } from "../input-schema";
import { notePdfProblem } from "../invoices/pdf-problem";
import { checkInvoiceDates } from "../invoices/terms";
import { linkSecret } from "../link-secret";
import { moveUses } from "../links/move-uses";
import { recordTime } from "../refresh";
import { isOpenReminder } from "../reminder-plan";
import { remindersOfOne } from "../reminder-store";
import { wakingFor } from "../reminder-times";
import { payment } from "../schema";
import { rewriteWords } from "../search-words";
import { checkDueBeforeExpiry, checkReminders } from "../sense";
import { shownPayment } from "../shown";
import { dueAtOf } from "../stale";
import { findPayment, hasReference, lockPayment, type PaymentRow, updatePayment } from "../store";
import { paymentTag } from "../tag";

export const updatePaymentRequest = operation({
  id: "payments.update",
  summary: "Update a payment request",
  description:
    "Absent fields stay unchanged, null clears. The keys of `metadata` merge; any other object or list replaces the " +
    "previous one. A draft changes in every field but its account. One that can still be paid changes only in " +
    "`customer`, `description`, `due_at`, `expires_at`, `metadata`, `reminders` and, of a reusable link, `paused`: jobs and planned reminders follow its " +
    "dates, and the customer stays once somebody has tried to pay. Where there are installments, `due_at` follows from " +
    "them. Any other changes only in `metadata`. With `If-Match` " +
    "and the ETag of the last read, the update is refused if the payment request has changed in between.",
  access: rules["payments.create"],
  time: "organization",
  accessFor: (input) => (input.reminders ? rules["mails.send"] : rules["payments.create"]),
  effect: "write",
  rest: { method: "PATCH", path: "/v1/payments/{payment_id}", extension: true, etag: paymentTag },
  input: paymentPatch,
  output: payment,
  secret: linkSecret,
  errors: {
    invalid_request: 400,
    insufficient_permissions: 400,
    email_not_verified: 400,
    payment_not_found: 400,
    account_not_found: 400,
    account_closed: 400,
    customer_not_found: 400,
    amount_mismatch: 400,
    duplicate_reference: 400,
    payment_not_updatable: 400,
    payment_processing: 400,
    version_conflict: 400,
  },
  async run({ ctx, input, fail }) {
    const { payment_id, account_id: accountId, ...given } = input;
    const seen = (await findPayment(ctx.db, ctx.scope, payment_id)) ?? fail("payment_not_found");
    const account = await accountFor(ctx, seen.accountId, fail);
    if (accountId !== undefined && accountId !== account.id) {
      // Only a caller who sees the other account learns more than that it is not found.
      await accountFor(ctx, accountId, fail);
      return fail("payment_not_updatable", "account_id: cannot be changed");
    }
    // First, because customers are locked before payment requests.
    const addressed =
      given.customer === undefined
        ? undefined
        : await addresseeOfInput(ctx, account, { customer: given.customer, draft: isDraft(seen) }, fail);
    const found = (await lockPayment(ctx.db, seen.id)) ?? fail("payment_not_found");
    const { ifMatch } = ctx.request;
    if (ifMatch !== null && !matchesVersion(ifMatch, found.updatedAt)) return fail("version_conflict");
    const locked = await recordTime(ctx, found);
    const fields = Object.keys(given).sort();
    const facts = await factsOf(ctx.db, locked);
    checkFields(fields, { facts, hasPlan: locked.installments !== null }, ctx.now, fail);
    if (addressed && locked.invoiceNumber !== null) {
      return fail("payment_not_updatable", `customer: the invoice ${locked.invoiceNumber} is addressed already`);
    }
    if (addressed) checkAddressing(seen, facts, fail);
    if (addressed && !isDraft(locked) && (await remindersOfOne(ctx.db, locked.id)).some(isOpenReminder)) {
      await checkMayRemind(ctx, fail);
    }
    const timezone = await timezoneOf(ctx.db, account);
    const written = fields.length === 0 ? locked : await changed(ctx, { locked, given, addressed, timezone }, fail);
    const isNew = written !== locked && isDraft(written);
    const row = isNew ? await notePdfProblem(ctx, account, written, timezone) : written;
    ctx.audit(auditOf(locked, row, fields));
    if (row !== locked) announce(ctx, "payment.updated", locked, row, { fields });
    return shownPayment(ctx, row);
  },
});

/** Refuses to address it anew once somebody has tried to pay: the attempt names the customer, too. */
function checkAddressing(
  seen: PaymentRow,
  facts: PaymentFacts,
  fail: Fail<"payment_processing" | "payment_not_updatable">,
): void {
  if (facts.attempts.some(isUnderWay)) fail("payment_processing");
  if (facts.attempts.length > 0) {
    fail("payment_not_updatable", "customer: cannot be changed once somebody has tried to pay");
  }
  // It has become final since: its customer would have to be found or made.
  if (isDraft(seen) && facts.draft === null) throw new LostRace(new Error("The draft was finalized meanwhile."));
}

interface Change {
  locked: PaymentRow;
  given: Omit<PaymentPatch, "payment_id" | "account_id">;
  addressed: Addressed | undefined;
  /** In which dates end. */
  timezone: string;
}

/** Writes what the patch makes of the payment request. */
async function changed(
  ctx: WriteContext,
  { locked, given, addressed, timezone }: Change,
  fail: Fail<"invalid_request" | "amount_mismatch" | "duplicate_reference">,
): Promise<PaymentRow> {
  const wasDraft = isDraft(locked);
  const content = await merged(ctx, locked, given);
  const { customer } = addressed ?? locked;
  const { expires_at: expiresAt = null, reminders } = content;
  // Reminders to an erased customer are skipped, and stop no other change.
  const asksEmail = addressed !== undefined || given.reminders !== undefined;
  checkContent(content, asksEmail ? (customer?.email ?? null) : undefined, fail);
  checkReturnUrls(given, locked.livemode, fail);
  const { metadata, description, dueAt, ...rest } = columnsOf(content, { timezone, now: ctx.now }, fail);
  // Whether they are too far away by now is no matter of any other change.
  if (wasDraft && (given.invoice !== undefined || given.due_at !== undefined)) {
    checkInvoiceDates(rest.invoice, dueAt, { timezone, now: ctx.now }, fail);
  }
  // Other installments may end too late for the expiry. Whether it has passed is no matter of any other change.
  const isOtherPlan = given.installments !== undefined && given.expires_at === undefined;
  const checked = isOtherPlan ? expiresAt : given.expires_at;
  const seenFrom = isOtherPlan && expiresAt !== null ? Math.min(ctx.now, expiresAt - 1) : ctx.now;
  checkExpiry(checked, rest.installments, seenFrom, fail);
  if (Object.keys(metadata).length > limits.metadata.keys) {
    return fail("invalid_request", `metadata: at most ${limits.metadata.keys} keys`);
  }
  const isOther = rest.reference !== locked.reference;
  if (isOther && (await hasReference(ctx.db, locked, rest.reference))) return fail("duplicate_reference");
  const columns = {
    ...{ metadata, description, ...(addressed && addressColumns(addressed)) },
    ...pauseOf(locked, given.paused, ctx.now),
    dueAt: dueAtOf({ ...rest, dueAt }, locked),
    ...(wasDraft && { ...rest, draft: { offsets_days: reminders?.offsets_days ?? null } }),
    expiresAt: wasDraft || given.expires_at === undefined ? expiresAt : expiryOf(content, ctx.now),
  };
  const offsets = given.reminders === undefined ? undefined : (reminders?.offsets_days ?? []);
  if (given.due_at !== undefined || given.expires_at !== undefined) checkDueBeforeExpiry({ ...rest, ...columns }, fail);
  if (offsets && !wasDraft && !(await areKnown(ctx.db, locked.id, offsets))) {
    const dates = { ...rest, ...columns, expiresAt: expiryOf({ ...content, expires_at: columns.expiresAt }, ctx.now) };
    checkReminders(dates, offsets, { now: ctx.now, waking: await wakingFor(ctx.db, locked) }, fail);
  }
  if (isAsBefore(locked, columns) && (wasDraft || offsets === undefined)) return locked;
  const isAlone = locked.parentPaymentId !== null && columns.expiresAt !== locked.expiresAt;
  const row = await updatePayment(ctx.db, locked.id, {
    ...columns,
    ...(isAlone && { expiresAlone: true }),
    version: locked.version + 1,
    // The ETag tells versions apart by it.
    updatedAt: Math.max(ctx.now, locked.updatedAt + 1),
  });
  if (!row) throw new Error(`The payment request ${locked.id} no longer exists although it was locked.`);
  if (addressed || "description" in given || "reference" in given) await rewriteWords(ctx.db, [row.id]);
  if (!wasDraft) await followChange(ctx, locked, row, offsets);
  if (!wasDraft && row.expiresAt !== locked.expiresAt) await moveUses(ctx, row);
  if (row.customerId !== locked.customerId && !wasDraft) await forgetMails(ctx, locked);
  return row;
}

/** Since when the link is paused, if the patch says whether it is. */
const pauseOf = ({ pausedAt }: PaymentRow, paused: boolean | undefined, now: number) =>
  paused === undefined ? {} : { pausedAt: paused ? (pausedAt ?? now) : null };

/**
 * Erases mails that name the former customer and that erasing this one would not find, because they went to somebody else
 * or to an address that another customer has too.
 */
async function forgetMails({ db, realNow }: WriteContext, former: PaymentRow): Promise<void> {
  const { id, accountId, customerId, customerEmailKey: key } = former;
  if (customerId === null) return;
  const isShared = key !== null && (await isEmailOfOthers(db, accountId, key, [customerId]));
  await forgetFormerCustomer(db, id, isShared ? null : key, realNow);
}

/** Whether the payment request has these reminders already, sent or not. */
async function areKnown(q: Reader, id: string, offsets: readonly number[]): Promise<boolean> {
  const known = new Set((await remindersOfOne(q, id)).map(({ offsetDays }) => offsetDays));
  return isDeepStrictEqual(known, new Set(offsets));
}

/** Whether the columns have these values already. */
const isAsBefore = (row: PaymentRow, columns: Partial<PaymentRow>): boolean =>
  Object.entries(columns).every(([name, value]) => isDeepStrictEqual(value, row[name as keyof PaymentRow]));

/** What the payment request says once the patch is applied. New line items decide about the amount. */
async function merged(ctx: WriteContext, locked: PaymentRow, given: Change["given"]): Promise<Content> {
  const { customer, paused: _, ...fields } = given;
  // What is planned matters only to a change of what it hangs on: it may have lost its e-mail when that was erased.
  const isAboutReminders = customer !== undefined || "due_at" in fields || "expires_at" in fields;
  const planned = locked.draft || !isAboutReminders ? [] : await remindersOfOne(ctx.db, locked.id);
  const ahead = planned.filter(isOpenReminder).map(({ offsetDays }) => offsetDays);
  const before = contentOf(locked, locked.draft?.offsets_days ?? (ahead.length > 0 ? ahead : null));
  const present = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const hasNewLines = Boolean(fields.line_items?.length);
  return {
    ...before,
    // What the new value takes the place of.
    ...((hasNewLines || fields.custom_amount) && { amount: null }),
    ...(fields.installments && { due_at: null }),
    ...(fields.allow_partial === false && { minimum_amount: null }),
    ...present,
    metadata: mergeMetadata(locked.metadata, given.metadata),
  };
}
