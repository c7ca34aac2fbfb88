// The columns of exported ledger entries: the wire fields under their names, then columns for bookkeeping.
import type { Reading } from "@/server/domains/accounts/record-export";
import type { Cell } from "@/server/kit/csv";
import { decimalAmount } from "@/server/kit/currency";
import { calendarDay } from "@/server/kit/phrases";
import { entry, type LedgerEntry } from "./schema";

const bookkeeping = {
  signed_decimal: ({ signed_amount, currency }) => ({ decimal: decimalAmount(signed_amount, currency) }),
  balance_after_decimal: ({ balance_after, currency }) => ({ decimal: decimalAmount(balance_after, currency) }),
  account_name: ({ account_id }, { accountNames }) => accountNames.get(account_id) ?? null,
  booked_local_date: ({ booked_at }, { timeZone }) => calendarDay(booked_at, timeZone),
  value_local_date: ({ value_at }, { timeZone }) => calendarDay(value_at, timeZone),
} as const satisfies Record<string, (row: LedgerEntry, reading: Reading) => Cell>;

type Own = keyof typeof bookkeeping;
type EntryColumn = keyof LedgerEntry | Own;

export const entryColumns = [...Object.keys(entry.shape), ...Object.keys(bookkeeping)] as [
  EntryColumn,
  ...EntryColumn[],
];

/** An entry's cells in the named columns. */
export const cellsOf = (row: LedgerEntry, names: readonly EntryColumn[], reading: Reading): Cell[] =>
  names.map((name) => (name in bookkeeping ? bookkeeping[name as Own](row, reading) : row[name as keyof LedgerEntry]));
