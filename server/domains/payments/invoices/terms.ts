// The terms of an invoice beside its amount: their wire form, what is stored of them, and how they can be wrong.
import * as z from "zod";
import type { InvoiceTerms } from "@/db/schema/invoice-values";
import { dayOf } from "@/server/kit/day-bounds";
import * as fields from "@/server/kit/fields";
import { dayMs, limits } from "@/server/kit/limits";
import type { Fail } from "@/server/kit/operation";
import { iso } from "@/server/process/clock";
import type { Setting } from "../partial-terms";

const { daysBack, serviceDays, text, purchaseOrder } = limits.invoice;

/** The terms in a call. */
export const invoiceTerms = z
  .strictObject({
    issue_date: fields.day.nullish().meta({
      description:
        "By default, the day on which it gets its number, in the account's time zone. Not before the issue date of the " +
        `previous number, at most ${daysBack} days before that day, and not in the future.`,
    }),
    service_from: fields.day.nullish().meta({ description: "The first day of what is invoiced." }),
    service_to: fields.day.nullish().meta({ description: "The last day of what is invoiced." }),
    purchase_order: fields.line(purchaseOrder).nullish().meta({ example: "PO-4711" }),
    notes: fields.text(text).nullish(),
    terms: fields.text(text).nullish().meta({ example: "14 days net" }),
  })
  .meta({ id: "InvoiceInput", description: "What the invoice says beside the amount. Only for the type `invoice`." });

/** The terms in a response. */
export const invoiceTermsOut = z
  .strictObject({
    issue_date: z.string().nullable(),
    service_from: z.string().nullable(),
    service_to: z.string().nullable(),
    purchase_order: z.string().nullable(),
    notes: z.string().nullable(),
    terms: z.string().nullable(),
  })
  .meta({ id: "Invoice" });

type Given = z.output<typeof invoiceTerms> | null | undefined;

/** What a payment request keeps of its terms. */
export const invoiceColumn = (given: NonNullable<Given>): InvoiceTerms => ({
  issue_date: given.issue_date ?? null,
  service_from: given.service_from ?? null,
  service_to: given.service_to ?? null,
  purchase_order: given.purchase_order ?? null,
  notes: given.notes ?? null,
  terms: given.terms ?? null,
});

/** The terms without dates, for a copy. */
export const undatedTerms = (terms: InvoiceTerms | null): InvoiceTerms | null =>
  terms && { ...terms, issue_date: null, service_from: null, service_to: null };

/** How the fields contradict each other, whatever the time is: the name of each faulty field, and its fault. */
export function invoiceFaultsOf(type: string, given: Given): [field: string, fault: string][] {
  if (!given) return [];
  if (type !== "invoice") return [["invoice", "is only for type invoice"]];
  const { service_from: from, service_to: to } = given;
  return from && to && to < from ? [["invoice.service_to", "must not be before service_from"]] : [];
}

/** Refuses dates that are too far away from today in the account's time zone, or an issue date after the due date. */
export function checkInvoiceDates(
  terms: InvoiceTerms | null,
  dueAt: number | null,
  { timezone, now }: Setting,
  fail: Fail<"invalid_request">,
): void {
  const refuse = (field: string, fault: string) => fail("invalid_request", `invoice.${field}: ${fault}`);
  const { issue_date: issued = null } = terms ?? {};
  const away = (day: string) => Math.round((Date.parse(day) - Date.parse(dayOf(iso(now), timezone))) / dayMs);
  if (issued !== null && away(issued) < -daysBack) refuse("issue_date", `must be at most ${daysBack} days ago`);
  // A future date would force every later invoice to carry at least that date.
  if (issued !== null && away(issued) > 0) refuse("issue_date", "must not be in the future");
  if (issued !== null && dueAt !== null && dayOf(iso(dueAt), timezone) < issued) {
    refuse("issue_date", "must not be after due_at");
  }
  for (const field of ["service_from", "service_to"] as const) {
    const day = terms?.[field] ?? null;
    if (day !== null && Math.abs(away(day)) > serviceDays) {
      refuse(field, `must be at most ${serviceDays} days before or after today`);
    }
  }
}
