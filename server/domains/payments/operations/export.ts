// GET /v1/payments/export: all matching payment requests, streamed as a file.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import {
  exportDescription,
  exportFields,
  exportRest,
  onlyForCsv,
  openExport,
} from "@/server/domains/accounts/record-export";
import { download } from "@/server/kit/download";
import { operation } from "@/server/kit/operation";
import { cellsOf, columnsByDefault, exportColumns, lineOf } from "../export-columns";
import { paymentFilters } from "../filters";
import { sourcesFor } from "../search";
import { shownPayments } from "../shown";
import type { PaymentRow } from "../store";

const exportQuery = z
  .strictObject({ ...paymentFilters.shape, ...exportFields(exportColumns) })
  .refine(...onlyForCsv("columns"))
  .refine(...onlyForCsv("spreadsheet_locale"));

export const exportPayments = operation({
  id: "payments.export",
  summary: "Export payment requests",
  description:
    `Streams all matching payment requests, newest first. ${exportDescription} Lists and objects in a cell are JSON. ` +
    "The last columns of a CSV file are for bookkeeping. In major units: `amount_decimal`; `paid_decimal` (captured, " +
    "received and paid out of credit, a surplus included), `refunded_decimal` (refunds that have succeeded) and " +
    "`disputed_decimal` (held by open disputes, or lost), whose difference is what is left of what was paid; " +
    "`due_decimal`; `credited_decimal` (by credit notes that are not void); and `net_decimal` and `tax_decimal`, which add " +
    "up to the amount. Then the name of the account, " +
    "the `issue_date` of an invoice, and `due_date` and `local_date`, the days of `due_at` and `created_at` in the " +
    "caller's time zone (or the organization's, or UTC). `due_decimal` is 0 where nobody is asked to pay: for " +
    "drafts, for payment requests that were canceled or have expired, and for pending uses of a reusable link. The " +
    "amounts of a reusable link repeat those of its uses; " +
    "`reusable=false` leaves links out. Anybody with a pay link can see and pay what it asks for, so a CSV file has " +
    "`payment_url`, `receipt_url`, `pdf_url` and `credit_notes`, which contain it, only if `columns` names them. " +
    "NDJSON has no `payment_url`, no `receipt_url` and no `pdf_url`, and neither have its credit notes.",
  access: rules["payments.read"],
  time: "organization",
  effect: "read",
  isAudited: true,
  rest: { ...exportRest, path: "/v1/payments/export" },
  input: exportQuery,
  output: download,
  errors: { account_not_found: 400, customer_not_found: 400, selection_changed: 400 },
  async run({ ctx, input, fail }) {
    const {
      format,
      columns = columnsByDefault,
      spreadsheet_locale: locale,
      expected_count: expected,
      ...filters
    } = input;
    const isInvoices = filters.type?.every((type) => type === "invoice") ?? false;
    return openExport(ctx, {
      name: isInvoices ? "invoices" : "payment-requests",
      period: { from: filters.created_from, to: filters.created_to },
      format,
      columns,
      locale,
      expected,
      cellsOf,
      lineOf: (row) => lineOf(row),
      accountsOf: ({ account_id }) => [account_id],
      changed: () => fail("selection_changed"),
      search: async () => ({
        sources: await sourcesFor(ctx, filters, fail),
        present: (rows: PaymentRow[]) => shownPayments(ctx, rows),
      }),
    });
  },
});
