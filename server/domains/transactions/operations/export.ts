// GET /v1/transactions/export: all matches, streamed as a file.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import {
  exportDescription,
  exportFields,
  exportRest,
  onlyForCsv,
  openExport,
} from "@/server/domains/accounts/record-export";
import { inTurn } from "@/server/fairness/turns";
import { download } from "@/server/kit/download";
import * as fields from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { cellsOf, exportColumns } from "../export-columns";
import type { TransactionRow } from "../present";
import { transactionFilters } from "../schema";
import { searchOf, sourcesOf } from "../search";
import { shownTransactions } from "../shown";

const exportQuery = z
  .strictObject({
    ...transactionFilters.shape,
    transaction_id: z
      .array(fields.id("txn", "A transaction."))
      .min(1)
      .max(limits.selection)
      .optional()
      .meta({ description: "Only matches with these ids.", example: ["txn_01kacz7q4v8n2j5s6t3w9x0y1r"] }),
    ...exportFields(exportColumns),
  })
  .refine(...onlyForCsv("columns"))
  .refine(...onlyForCsv("spreadsheet_locale"));

export const exportTransactions = operation({
  id: "transactions.export",
  summary: "Export transactions",
  description:
    `Streams all matching transactions, newest first. ${exportDescription} ` +
    "The last columns of a CSV file are for bookkeeping. In major units: `amount_decimal` (what has moved; negative for " +
    "money that leaves the account, 0.00 while nothing of a payment is captured and for a refund that failed), less " +
    "`fee_decimal`, `disputed_decimal` (held by an open dispute, or lost) and `became_credit_decimal` (what became " +
    "credit of the customer and was not refunded), is `net_decimal`: what the row has added to the account's available " +
    "balance so far. `destination_net_decimal` is what a transfer has added to `destination_account_id`, empty where the " +
    "row is shown from there: the `net_decimal` of such a row belongs to `destination_account_id`. So for each account " +
    "and currency, `net_decimal` of its rows plus `destination_net_decimal` of the transfers to it is its available " +
    "balance. `refunded_decimal` is for information: refunds have rows of their own. A row shows the present state; for amounts by period, export the ledger entries. The names of " +
    "the account and of the account that a transfer goes to follow, and `local_date`, the day of `effective_at` in the " +
    "caller's time zone (or the organization's, or UTC).",
  access: rules["transactions.read"],
  time: "organization",
  effect: "read",
  isAudited: true,
  rest: { ...exportRest, path: "/v1/transactions/export" },
  input: exportQuery,
  output: download,
  errors: { account_not_found: 400, customer_not_found: 400, selection_changed: 400 },
  async run({ ctx, input, fail }) {
    const { transaction_id: ids, format, columns = exportColumns, expected_count: expected, ...rest } = input;
    const { spreadsheet_locale: locale, ...filters } = rest;
    return openExport(ctx, {
      name: "transactions",
      period: { from: filters.created_from, to: filters.created_to },
      format,
      columns,
      locale,
      expected,
      cellsOf,
      accountsOf: ({ account_id: from, destination_account_id: to }) => (to === null ? [from] : [from, to]),
      changed: () => fail("selection_changed"),
      search: async () => {
        const { search, perspective } = await searchOf(ctx, filters, fail);
        return {
          sources: await inTurn(ctx.request, () => sourcesOf(ctx.db, { ...search, ids })),
          present: (rows: TransactionRow[]) => shownTransactions(ctx, rows, perspective),
        };
      },
    });
  },
});
