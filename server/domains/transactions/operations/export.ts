// GET /v1/transactions/export: all matches, streamed as a file.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { findAccountNames } from "@/server/domains/accounts/search-store";
import { organizationById } from "@/server/domains/organizations/organization";
import { findUser } from "@/server/domains/users/store";
import { inTurn } from "@/server/fairness/turns";
import type { ReadContext } from "@/server/kit/context";
import { csvLine, type Dialect, dialectOf } from "@/server/kit/csv";
import { download, openDownload } from "@/server/kit/download";
import * as fields from "@/server/kit/fields";
import { userOf } from "@/server/kit/identity";
import { limits } from "@/server/kit/limits";
import { countThrough, type Found, lookThrough, type Source } from "@/server/kit/look-through";
import { operation } from "@/server/kit/operation";
import type { Position } from "@/server/kit/page";
import { cellsOf, type ExportColumn, exportColumns } from "../export-columns";
import type { TransactionRow } from "../present";
import { type Transaction, transactionFilters } from "../schema";
import { searchOf, sourcesOf } from "../search";
import { shownTransactions } from "../shown";

const { partRows, partBytes } = limits.download;

const mediaTypes = { csv: "text/csv", ndjson: "application/x-ndjson" } as const;

const exportQuery = z
  .strictObject({
    ...transactionFilters.shape,
    transaction_id: z
      .array(fields.id("txn", "A transaction."))
      .min(1)
      .max(limits.selection)
      .optional()
      .meta({ description: "Only matches with these ids.", example: ["txn_01kacz7q4v8n2j5s6t3w9x0y1r"] }),
    format: z.enum(["csv", "ndjson"]).default("csv").meta({ example: "csv" }),
    columns: fields
      .anyOf(exportColumns)
      .optional()
      .meta({ description: "The columns of a CSV file, in order; all by default." }),
    spreadsheet_locale: fields.spreadsheetLocale,
    expected_count: z
      .int()
      .min(0)
      .optional()
      .meta({ description: "Fails with `selection_changed` unless exactly this many match.", example: 2 }),
  })
  .refine(({ format, columns }) => format === "csv" || columns === undefined, {
    path: ["columns"],
    error: "is only for the format csv",
  })
  .refine(({ format, spreadsheet_locale: locale }) => format === "csv" || locale === undefined, {
    path: ["spreadsheet_locale"],
    error: "is only for the format csv",
  });

export const exportTransactions = operation({
  id: "transactions.export",
  summary: "Export transactions",
  description:
    "Streams all matching transactions, newest first. If the caller's session ends or the caller reads too slowly, " +
    "the connection breaks off and the rest of the file is missing. Each row shows its state when it was sent; the " +
    "file is not a snapshot of one instant. With `expected_count` the file has exactly that many rows or breaks off. " +
    "Amounts are minor units. The first line of a CSV file names the columns, and `'` precedes text that a " +
    "spreadsheet could mistake for a formula. The last columns of a CSV file are for bookkeeping: `amount_decimal`, " +
    "`fee_decimal` and `net_decimal` in major units (what has moved, its fee, and what is left; negative for money that " +
    "leaves the account, 0.00 while nothing of a payment is captured and for a refund that failed), the names of the account and of the account that a transfer goes to, and `local_date`, the day of `effective_at` in " +
    "the caller's time zone (or the organization's, or UTC).",
  access: rules["transactions.read"],
  time: "organization",
  effect: "read",
  isAudited: true,
  rest: {
    method: "GET",
    path: "/v1/transactions/export",
    extension: true,
    mediaTypes: Object.values(mediaTypes),
    answerHeaders: { "Content-Disposition": "Suggests a name for the file." },
  },
  input: exportQuery,
  output: download,
  errors: { account_not_found: 400, customer_not_found: 400, selection_changed: 400 },
  async run({ ctx, input, fail }) {
    const { transaction_id: ids, format, columns = exportColumns, expected_count: expected, ...rest } = input;
    const { spreadsheet_locale: locale, ...filters } = rest;
    const day = new Date(ctx.now).toISOString().slice(0, 10);
    const file = {
      contentType: `${mediaTypes[format]}; charset=utf-8`,
      fileName: `transactions-${day}.${format}`,
    };
    const search = async () => {
      const found = await searchOf(ctx, filters, fail);
      const sources = await inTurn(ctx.request, () => sourcesOf(ctx.db, { ...found.search, ids }));
      return { ...found, sources };
    };
    const changed = () => fail("selection_changed");
    return openDownload(ctx, file, () => {
      const parts = exactly(expected, partsOf(ctx, search, expected, changed), changed);
      return format === "csv" ? csvOf(ctx, parts, columns, dialectOf(locale)) : ndjsonOf(parts);
    });
  },
});

async function* csvOf(
  ctx: ReadContext,
  parts: AsyncIterable<Transaction[]>,
  columns: readonly ExportColumn[],
  dialect: Dialect,
): AsyncGenerator<string> {
  let head = dialect.start + csvLine(columns, dialect);
  const timeZone = columns.includes("local_date") ? await timeZoneOf(ctx) : "UTC";
  for await (const part of parts) {
    const accountNames = columns.some((name) => name.endsWith("account_name"))
      ? await namesIn(ctx, part)
      : new Map<string, string>();
    yield head + part.map((row) => csvLine(cellsOf(row, columns, { accountNames, timeZone }), dialect)).join("");
    head = "";
  }
}

/** The caller's time zone, else the organization's, else UTC. */
async function timeZoneOf({ db, actor, scope: { organizationId } }: ReadContext): Promise<string> {
  const caller = userOf(actor);
  const user = caller && (await findUser(db, organizationId, caller.userId));
  return user?.timezone ?? (await organizationById(db, organizationId)).timezone ?? "UTC";
}

/** The names of the accounts that own the transactions, and of those that transfers go to, if the caller sees them. */
async function namesIn({ db, scope }: ReadContext, part: readonly Transaction[]): Promise<Map<string, string>> {
  const ids = [
    ...new Set(part.flatMap(({ account_id: from, destination_account_id: to }) => (to === null ? [from] : [from, to]))),
  ];
  const found = ids.length === 0 ? [] : await findAccountNames(db, scope, ids);
  return new Map(found.map(({ id, name }) => [id, name]));
}

async function* ndjsonOf(parts: AsyncIterable<Transaction[]>): AsyncGenerator<string> {
  for await (const part of parts) yield part.map((row) => `${JSON.stringify(row)}\n`).join("");
}

/**
 * Passes the parts on. Calls `changed`, which throws, as soon as they hold more rows than expected, or end with fewer.
 */
async function* exactly(
  expected: number | undefined,
  parts: AsyncIterable<Transaction[]>,
  changed: () => never,
): AsyncGenerator<Transaction[]> {
  let rows = 0;
  for await (const part of parts) {
    rows += part.length;
    if (expected !== undefined && rows > expected) changed();
    yield part;
  }
  if (expected !== undefined && rows < expected) changed();
}

type Searching = () => Promise<Awaited<ReturnType<typeof searchOf>> & { sources: Source<TransactionRow>[] }>;

/**
 * All matches, part by part; at least one part. Only the position is kept from one part to the next: what the caller
 * may see is looked up again for each.
 */
async function* partsOf(
  { db, now, request }: ReadContext,
  search: Searching,
  expected: number | undefined,
  changed: () => never,
): AsyncGenerator<Transaction[]> {
  let position: Position | null = null;
  do {
    const { sources, perspective } = await search();
    if (position === null && expected !== undefined) {
      const total = await countThrough(request, sources, expected + 1);
      if (total !== expected) changed();
    }
    const found: Found<TransactionRow> = await lookThrough(request, sources, position, partRows, partBytes);
    position = found.reached;
    yield await shownTransactions({ db, now }, found.rows, perspective);
  } while (position !== null);
}
