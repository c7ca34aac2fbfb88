// Gives numbers to invoices and credit notes, without gaps.
import { and, eq, max, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import type { creditNoteSeries, invoiceSeries } from "@/db/tables";

/** Papers of one kind that are numbered together, year by year. */
export interface Numbering {
  accountId: string;
  livemode: boolean;
}

export interface Series extends Numbering {
  year: number;
}

type SeriesTable = typeof invoiceSeries | typeof creditNoteSeries;

/** The year of the next number: that of today, but never an earlier one than before, wherever the account moves. */
async function yearOf(tx: Tx, table: SeriesTable, { accountId, livemode }: Numbering, today: string): Promise<number> {
  const [last] = await tx
    .select({ year: max(table.year) })
    .from(table)
    .where(and(eq(table.accountId, accountId), eq(table.livemode, livemode)));
  return Math.max(Number(today.slice(0, 4)), last?.year ?? 0);
}

/**
 * Takes the next number of the year, from 1, and locks the series until the transaction ends. A transaction that is
 * rolled back gives the number back, so there are no gaps. Resolves also to the latest issue date before, of any year.
 */
export async function takeNumber(tx: Tx, table: SeriesTable, numbering: Numbering, today: string) {
  const series = { ...numbering, year: await yearOf(tx, table, numbering, today) };
  const [taken] = await tx
    .insert(table)
    .values({ ...series, lastNumber: 1, lastIssueDate: today })
    .onConflictDoUpdate({
      target: [table.accountId, table.livemode, table.year],
      set: { lastNumber: sql`${table.lastNumber} + 1` },
    })
    .returning({ sequence: table.lastNumber });
  if (!taken) throw new Error(`No number was taken for ${series.accountId}.`);
  const { accountId, livemode, year } = series;
  const isOld = taken.sequence > 1 ? sql`true` : sql`${table.year} <> ${year}`;
  const [last] = await tx
    .select({ date: max(table.lastIssueDate) })
    .from(table)
    .where(and(eq(table.accountId, accountId), eq(table.livemode, livemode), isOld));
  return { year, sequence: taken.sequence, lastIssueDate: last?.date ?? null };
}

/** Notes the issue date of the paper with the last number. */
export async function setLastIssueDate(tx: Tx, table: SeriesTable, series: Series, lastIssueDate: string) {
  const { accountId, livemode, year } = series;
  const isIt = and(eq(table.accountId, accountId), eq(table.livemode, livemode), eq(table.year, year));
  await tx.update(table).set({ lastIssueDate }).where(isIt);
}
