// The postings of a transaction for display: by journal, each line with the balance after it.
import type { Reader } from "@/db/client";
import { type JournalLine, journalLines } from "./store";

export type { JournalLine } from "./store";

interface PostedJournal {
  id: string;
  event: string;
  /** Epoch milliseconds. */
  createdAt: number;
  currency: string;
  lines: JournalLine[];
}

/** The journals of a transaction, oldest first: one per step, so only a few. */
export async function postedJournals(
  q: Reader,
  organizationId: string,
  transactionId: string,
): Promise<PostedJournal[]> {
  const found = new Map<string, PostedJournal>();
  for (const line of await journalLines(q, organizationId, transactionId)) {
    const { journalId: id, event, createdAt, currency } = line;
    const journal = found.get(id) ?? { id, event, createdAt, currency, lines: [] };
    journal.lines.push(line);
    found.set(id, journal);
  }
  return [...found.values()].sort(inOrder);
}

/** Orders journals of the same instant by the ledger accounts that both touch. */
function inOrder(a: PostedJournal, b: PostedJournal): number {
  if (a.createdAt !== b.createdAt) return a.createdAt - b.createdAt;
  for (const one of a.lines) {
    const other = b.lines.find(({ accountId, name }) => accountId === one.accountId && name === one.name);
    if (other) return one.sequence - other.sequence;
  }
  return 0;
}
