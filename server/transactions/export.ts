// GET /v1/transactions/export: everything that matches, as a file that is sent while it is read.
import { setImmediate as nextTurn } from "node:timers/promises";
import * as z from "zod";
import { rules } from "@/server/access/rules";
import type { ReadContext } from "@/server/kit/context";
import { csvLine } from "@/server/kit/csv";
import { Download, download } from "@/server/kit/download";
import * as fields from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import type { Position } from "@/server/kit/page";
import { cellsOf, type ExportColumn, exportColumns } from "./columns";
import type { Search } from "./criteria";
import { type Perspective, present, type TransactionRow } from "./present";
import { type Transaction, transactionFilters } from "./schema";
import { searchOf } from "./search";
import { countTransactions, searchTransactions } from "./search-store";

/** Rows that are read at a time. */
const pageRows = 1_000;
/** Rows that are written at a time: larger texts would lie about in memory for long after they are sent. */
const partRows = 100;

const mediaTypes = { csv: "text/csv", ndjson: "application/x-ndjson" } as const;

const exportQuery = z
  .strictObject({
    ...transactionFilters.shape,
    transaction_id: z
      .array(fields.id("txn", "A transaction."))
      .min(1)
      .max(limits.selection)
      .optional()
      .meta({ description: "Only these of what matches." }),
    format: z.enum(["csv", "ndjson"]).default("csv"),
    columns: fields
      .anyOf(exportColumns)
      .optional()
      .meta({ description: "The columns of a CSV file, in their order; all of them by default." }),
    expected_count: z
      .int()
      .min(0)
      .optional()
      .meta({ description: "Refused as `selection_changed` unless exactly so many match." }),
  })
  .refine(({ format, columns }) => format === "csv" || columns === undefined, {
    path: ["columns"],
    error: "only a CSV file has columns",
  });

export const exportTransactions = operation({
  id: "transactions.export",
  summary: "Export transactions",
  description:
    "All that match, newest first, as a file that is sent while it is read: a connection that ends before the file does " +
    "means that the rest is missing. Amounts are minor units. In a CSV file, whose first line names the columns, a " +
    "text that a spreadsheet could take for a formula has `'` before it.",
  access: rules["transactions.read"],
  effect: "read",
  rest: {
    ...{ method: "GET", path: "/v1/transactions/export", extension: true },
    mediaTypes: Object.values(mediaTypes),
  },
  input: exportQuery,
  output: download,
  errors: { account_not_found: 400, selection_changed: 400 },
  async run({ ctx, input, fail }) {
    const { transaction_id: ids, format, columns = exportColumns, expected_count: expected, ...filters } = input;
    const found = await searchOf(ctx, filters, fail);
    const search = { ...found.search, ids };
    if (expected !== undefined && (await countTransactions(ctx.db, search)) !== expected) fail("selection_changed");
    // Read before the answer begins, so that what fails at once is refused in words.
    const first = await searchTransactions(ctx.db, search, null, pageRows);
    const parts = partsOf(ctx, search, first, found.perspective);
    const day = new Date(ctx.now).toISOString().slice(0, 10);
    return new Download(
      `${mediaTypes[format]}; charset=utf-8`,
      `transactions-${day}.${format}`,
      format === "csv" ? csvOf(parts, columns) : ndjsonOf(parts),
    );
  },
});

async function* csvOf(parts: AsyncIterable<Transaction[]>, columns: readonly ExportColumn[]): AsyncGenerator<string> {
  yield csvLine(columns);
  for await (const part of parts) yield part.map((row) => csvLine(cellsOf(row, columns))).join("");
}

async function* ndjsonOf(parts: AsyncIterable<Transaction[]>): AsyncGenerator<string> {
  for await (const part of parts) yield part.map((row) => `${JSON.stringify(row)}\n`).join("");
}

/** All that is found, part by part; stops when the caller has gone or the server drains. */
async function* partsOf(
  { db, now, request: { requestId, signal }, runtime }: ReadContext,
  search: Search,
  first: TransactionRow[],
  perspective: Perspective,
): AsyncGenerator<Transaction[]> {
  let rows = first;
  try {
    while (rows.length > 0) {
      for (let at = 0; at < rows.length; at += partRows) {
        yield rows.slice(at, at + partRows).map((row) => present(row, perspective, now));
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < pageRows) return;
      // Neither a quick reader nor a database in this process ever has to be waited for: others come to their turn here.
      await nextTurn();
      signal.throwIfAborted();
      const position: Position = { createdAt: last.createdAt, id: last.id };
      rows = await searchTransactions(db, search, position, pageRows);
    }
  } catch (error) {
    // The head of the answer is out: all that can be said of it is said here.
    if (!signal.aborted) runtime.log.error({ err: error, requestId }, "an export failed");
    throw error;
  }
}
