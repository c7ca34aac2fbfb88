// Makes an invoice of a payment request that has just become final: its number, and the record of what it says.

import { invoicePreferencesOf } from "@/server/domains/accounts/rules";
import type { AccountRow } from "@/server/domains/accounts/store";
import { readCustomer } from "@/server/domains/customers/store";
import type { WriteContext } from "@/server/kit/context";
import { dayOf } from "@/server/kit/day-bounds";
import type { Fail } from "@/server/kit/operation";
import { iso } from "@/server/process/clock";
import { type PaymentRow, updatePayment } from "../store";
import { pdfProblemIn } from "./pdf-problem";
import { invoiceRecord } from "./record";
import { insertInvoice, takeNumber } from "./store";
import { invoiceColumn } from "./terms";

/** Digits of a number; larger ones have more. */
const leastDigits = 4;

/**
 * Gives an invoice its number in the transaction that makes it final. Payment requests of other types stay as they are.
 * The caller has written the row, so that nobody else changes it.
 */
export async function issueInvoice(
  ctx: WriteContext,
  account: AccountRow,
  row: PaymentRow,
  timezone: string,
  fail: Fail<"invalid_request">,
): Promise<PaymentRow> {
  if (row.type !== "invoice") return row;
  const { db, now } = ctx;
  const { accountId, organizationId, livemode } = row;
  const today = dayOf(iso(now), timezone);
  const year = Number(today.slice(0, 4));
  const { sequence, lastIssueDate: last } = await takeNumber(db, { accountId, livemode, year }, today);
  const given = row.invoice?.issue_date ?? null;
  if (given !== null && last !== null && given < last) {
    fail("invalid_request", `invoice.issue_date: must not be before ${last}, the issue date of the previous number`);
  }
  // Numbers and dates ascend together, also after an invoice that was dated ahead.
  const issueDate = given ?? (last !== null && last > today ? last : today);
  const prefix = invoicePreferencesOf(account.preferences).number_prefix ?? "";
  const number = `${prefix}${year}-${String(sequence).padStart(leastDigits, "0")}`;
  const customer = row.customerId === null ? null : ((await readCustomer(db, row.customerId)) ?? null);
  const record = invoiceRecord({ account, payment: row, customer, number, issueDate, timezone });
  const paymentId = row.id;
  await insertInvoice(db, { paymentId, organizationId, accountId, livemode, year, sequence, record, createdAt: now });
  const invoice = { ...(row.invoice ?? invoiceColumn({})), issue_date: issueDate };
  const pdfProblem = pdfProblemIn(record);
  const issued = await updatePayment(db, row.id, { invoice, invoiceNumber: number, pdfProblem });
  if (!issued) throw new Error(`The payment request ${row.id} no longer exists although it was written.`);
  return issued;
}
