// What the exports of transactions and of payment requests share: their parameters, and the file, part by part.
import * as z from "zod";
import { organizationById } from "@/server/domains/organizations/organization";
import { findUser } from "@/server/domains/users/store";
import type { ReadContext } from "@/server/kit/context";
import { type Cell, csvLine, dialectOf } from "@/server/kit/csv";
import { type Download, openDownload } from "@/server/kit/download";
import * as fields from "@/server/kit/fields";
import { userOf } from "@/server/kit/identity";
import { limits } from "@/server/kit/limits";
import { countThrough, type Found, lookThrough, type Source } from "@/server/kit/look-through";
import type { Position } from "@/server/kit/page";
import { type Period, periodName } from "@/server/kit/period-name";
import { findAccountNames } from "./search-store";

const { partRows, partBytes } = limits.download;

const mediaTypes = { csv: "text/csv", ndjson: "application/x-ndjson" } as const;

/** How an export is called over REST, apart from its path. */
export const exportRest = {
  method: "GET",
  extension: true,
  mediaTypes: Object.values(mediaTypes),
  answerHeaders: { "Content-Disposition": "Suggests a name for the file." },
} as const;

/** What the descriptions of exports have in common. */
export const exportDescription =
  "If the caller's session ends or the caller reads too slowly, the connection breaks off and the rest of the file is " +
  "missing. Each row shows its state when it was sent; the file is not a snapshot of one instant. With `expected_count` " +
  "the file has exactly that many rows or breaks off. Amounts are minor units. The first line of a CSV file names the " +
  "columns, and `'` precedes text that a spreadsheet could mistake for a formula.";

/** The parameters of an export with these columns, besides its filters. */
export const exportFields = <const Column extends readonly [string, ...string[]]>(columns: Column) => ({
  format: z.enum(["csv", "ndjson"]).default("csv").meta({ example: "csv" }),
  columns: fields
    .anyOf(columns)
    .optional()
    .meta({ description: "The columns of a CSV file, in order; all by default." }),
  spreadsheet_locale: fields.spreadsheetLocale,
  expected_count: z
    .int()
    .min(0)
    .optional()
    .meta({ description: "Fails with `selection_changed` unless exactly this many match.", example: 2 }),
});

interface Given {
  format: string;
  columns?: unknown;
  spreadsheet_locale?: unknown;
}

/** Refines the parameters of an export: this one is only for CSV files. */
export const onlyForCsv = (
  name: "columns" | "spreadsheet_locale",
): [(given: Given) => boolean, { path: string[]; error: string }] => [
  (given) => given.format === "csv" || given[name] === undefined,
  { path: [name], error: "is only for the format csv" },
];

/** What the columns for bookkeeping need besides the record. */
export interface Reading {
  /** The names of the accounts that the caller sees, by id. */
  accountNames: ReadonlyMap<string, string>;
  /** The caller's time zone (IANA). */
  timeZone: string;
}

/** How records are written. */
interface Written<Shown, Column extends string> {
  /** What the name of the file begins with. */
  name: string;
  /** What the file covers, which its name says too. */
  period: Period;
  format: keyof typeof mediaTypes;
  columns: readonly Column[];
  locale: string | undefined;
  cellsOf(record: Shown, columns: readonly Column[], reading: Reading): Cell[];
  /** The ids of the accounts that a record names. */
  accountsOf(record: Shown): readonly string[];
  /** The record as a line of NDJSON has it; the record itself if left out. */
  lineOf?(record: Shown): object;
}

/** What is exported, and how. */
interface Export<Row extends Position, Shown, Column extends string> extends Written<Shown, Column> {
  /** The number of rows that the file must have. */
  expected: number | undefined;
  /** Called for each part, because what the caller may see can change. */
  search(): Promise<{ sources: readonly Source<Row>[]; present(rows: Row[]): Promise<Shown[]> }>;
  /** Refuses because another number of rows matches than expected. */
  changed(): never;
}

/** Opens the file with all matches, newest first. */
export function openExport<Row extends Position, Shown, Column extends string>(
  ctx: ReadContext,
  exported: Export<Row, Shown, Column>,
): Promise<Download> {
  const { expected, changed } = exported;
  return openParts(ctx, exported, () => exactly(expected, partsOf(ctx, exported), changed));
}

/** Opens the file with these parts. */
export async function openParts<Shown, Column extends string>(
  ctx: ReadContext,
  exported: Written<Shown, Column>,
  parts: () => AsyncIterable<Shown[]>,
): Promise<Download> {
  const { name, format, period } = exported;
  const fileName = `${name}-${periodName(period, ctx.now, await timeZoneOf(ctx))}.${format}`;
  const file = { contentType: `${mediaTypes[format]}; charset=utf-8`, fileName };
  return openDownload(ctx, file, () =>
    format === "csv" ? csvOf(ctx, parts(), exported) : ndjsonOf(parts(), exported),
  );
}

async function* csvOf<Shown, Column extends string>(
  ctx: ReadContext,
  parts: AsyncIterable<Shown[]>,
  { columns, locale, cellsOf, accountsOf }: Written<Shown, Column>,
): AsyncGenerator<string> {
  const dialect = dialectOf(locale);
  let head = dialect.start + csvLine(columns, dialect);
  const timeZone = columns.some((name) => name.endsWith("_date")) ? await timeZoneOf(ctx) : "UTC";
  for await (const part of parts) {
    const accountNames = columns.some((name) => name.endsWith("account_name"))
      ? await namesOf(ctx, part.flatMap(accountsOf))
      : new Map<string, string>();
    yield head + part.map((row) => csvLine(cellsOf(row, columns, { accountNames, timeZone }), dialect)).join("");
    head = "";
  }
}

/** The caller's time zone, else the organization's, else UTC. */
export async function timeZoneOf({ db, actor, scope: { organizationId } }: ReadContext): Promise<string> {
  const caller = userOf(actor);
  const user = caller && (await findUser(db, organizationId, caller.userId));
  return user?.timezone ?? (await organizationById(db, organizationId)).timezone ?? "UTC";
}

/** The names of those accounts that the caller sees. */
async function namesOf({ db, scope }: ReadContext, accountIds: readonly string[]): Promise<Map<string, string>> {
  const ids = [...new Set(accountIds)];
  const found = ids.length === 0 ? [] : await findAccountNames(db, scope, ids);
  return new Map(found.map(({ id, name }) => [id, name]));
}

async function* ndjsonOf<Shown, Column extends string>(
  parts: AsyncIterable<Shown[]>,
  { lineOf }: Written<Shown, Column>,
): AsyncGenerator<string> {
  for await (const part of parts) {
    yield part.map((row) => `${JSON.stringify(lineOf ? lineOf(row) : row)}\n`).join("");
  }
}

/**
 * Passes the parts on. Calls `changed`, which throws, as soon as they hold more rows than expected, or end with fewer.
 */
async function* exactly<Shown>(
  expected: number | undefined,
  parts: AsyncIterable<Shown[]>,
  changed: () => never,
): AsyncGenerator<Shown[]> {
  let rows = 0;
  for await (const part of parts) {
    rows += part.length;
    if (expected !== undefined && rows > expected) changed();
    yield part;
  }
  if (expected !== undefined && rows < expected) changed();
}

/**
 * All matches, part by part; at least one part. Only the position is kept from one part to the next: what the caller
 * may see is looked up again for each.
 */
async function* partsOf<Row extends Position, Shown, Column extends string>(
  { request }: ReadContext,
  { search, expected, changed }: Export<Row, Shown, Column>,
): AsyncGenerator<Shown[]> {
  let position: Position | null = null;
  do {
    const { sources, present } = await search();
    if (position === null && expected !== undefined) {
      const total = await countThrough(request, sources, expected + 1);
      if (total !== expected) changed();
    }
    const found: Found<Row> = await lookThrough(request, sources, position, partRows, partBytes);
    position = found.reached;
    yield await present(found.rows);
  } while (position !== null);
}
