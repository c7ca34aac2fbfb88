// Makes an invoice of a payment request that has just become final: its number, and the record of what it says.

import { claimNumbering } from "@/server/domains/accounts/numbering-store";
import { invoicePreferencesOf, proposedPrefix } from "@/server/domains/accounts/rules";
import { type AccountRow, findAccount } from "@/server/domains/accounts/store";
import type { WriteContext } from "@/server/kit/context";
import { dayOf } from "@/server/kit/day-bounds";
import type { Fail } from "@/server/kit/operation";
import { iso } from "@/server/process/clock";
import { isErased } from "../link";
import { type PaymentRow, updatePayment } from "../store";
import { categoryOf } from "../tax-category";
import { pdfProblemIn } from "./pdf-problem";
import { invoiceRecord, numberOf, prefixOf, readableCustomer } from "./record";
import { insertInvoice, takeInvoiceNumber } from "./store";
import { invoiceColumn } from "./terms";

/**
 * Gives an invoice its number in the transaction that makes it final. Payment requests of other types stay as they are.
 * The caller has written the row, so that nobody else changes it.
 */
export async function issueInvoice(
  ctx: WriteContext,
  account: AccountRow,
  row: PaymentRow,
  timezone: string,
  fail: Fail<"invalid_request" | "invoice_number_taken">,
): Promise<PaymentRow> {
  if (row.type !== "invoice") return row;
  checkIssuable(row, fail);
  const { db, now } = ctx;
  const { accountId, organizationId, livemode } = row;
  const today = dayOf(iso(now), timezone);
  const { year, sequence, lastIssueDate: last } = await takeInvoiceNumber(db, { accountId, livemode }, today);
  await claimNumbers(ctx, account, livemode, fail);
  const given = row.invoice?.issue_date ?? null;
  if (given !== null && last !== null && given < last) {
    fail("invalid_request", `invoice.issue_date: must not be before ${last}, the issue date of the previous number`);
  }
  // In another time zone, the previous number may have the date of tomorrow. Numbers and dates ascend together.
  const issueDate = given ?? (last !== null && last > today ? last : today);
  if (row.dueAt !== null && dayOf(iso(row.dueAt), timezone) < issueDate) {
    const field = row.installments === null ? "due_at" : "installments[0].due_at";
    const which = issueDate > today ? "the issue date of the previous number" : "the issue date";
    fail("invalid_request", `${field}: must not be before ${issueDate}, ${which}`);
  }
  const number = numberOf(prefixOf(account), year, sequence);
  const customer = await readableCustomer(ctx, row);
  const record = invoiceRecord({ account, payment: row, customer, number, issueDate, timezone });
  const paymentId = row.id;
  await insertInvoice(db, { paymentId, organizationId, accountId, livemode, year, sequence, record, createdAt: now });
  const invoice = { ...(row.invoice ?? invoiceColumn({})), issue_date: issueDate };
  const pdfProblem = pdfProblemIn(record);
  const issued = await updatePayment(db, row.id, { invoice, invoiceNumber: number, pdfProblem });
  if (!issued) throw new Error(`The payment request ${row.id} no longer exists although it was written.`);
  return issued;
}

/**
 * Refuses the numbers of another account with the same tax number, which is the same issuer. The claim holds for credit
 * notes too, which have the prefixes of their invoices, and for ever.
 */
async function claimNumbers(
  { db, now, scope }: WriteContext,
  account: AccountRow,
  livemode: boolean,
  fail: Fail<"invoice_number_taken">,
): Promise<void> {
  const holderId = await claimNumbering(db, account, livemode, now);
  if (holderId === account.id) return;
  const holder = await findAccount(db, scope, holderId);
  const who = holder ? `The account ${holder.name} (${holder.id})` : "Another account of the organization";
  const { number_prefix: prefix } = invoicePreferencesOf(account);
  const what = prefix === null ? "without a prefix" : `with the prefix ${prefix}`;
  fail(
    "invoice_number_taken",
    `${who} has the same tax number and issues invoices ${what}. Choose another number_prefix, such as ${proposedPrefix(account.id, prefix)}`,
  );
}

/**
 * Refuses a supply to another country without the day of delivery (BR-IC-11 of EN 16931), and a customer of whom nothing
 * is said: the invoice would be taken for one whose customer was erased.
 */
function checkIssuable(row: PaymentRow, fail: Fail<"invalid_request">): void {
  const hasPeriod = row.invoice?.service_from != null || row.invoice?.service_to != null;
  if (!hasPeriod && row.lineItems.some((line) => categoryOf(line) === "K")) {
    fail("invalid_request", "invoice.service_from: is required with tax_category K, unless service_to is given");
  }
  if (isErased(row)) {
    fail(
      "invalid_request",
      "customer: an invoice to a customer states its name, e-mail address, reference or metadata",
    );
  }
}
