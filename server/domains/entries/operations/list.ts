// GET /v1/ledger/entries: what was booked to the accounts that the caller sees, oldest first.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import type { ReadContext } from "@/server/kit/context";
import * as fields from "@/server/kit/fields";
import { operation } from "@/server/kit/operation";
import { type Position, pageOf } from "@/server/kit/page";
import { exactly } from "@/server/kit/totals";
import { iso } from "@/server/process/clock";
import { entry, entryFilters } from "../schema";
import { type EntrySearch, entrySearch, findEntries, presentEntry } from "../search";
import type { EntryPosition } from "../store";

export const listEntries = operation({
  id: "ledger.entries",
  summary: "List ledger entries",
  description:
    "What was booked to accounts, ascending by `booked_at` and `number`: one entry for each posting of money that an " +
    "account has, or owes its customers. The entries of one account, kind and currency that were booked between two " +
    "instants add up to the difference of its balances at these instants, whatever happens later. The list ends at " +
    "`final_before`, the beginning of the oldest write that is open, so that no entry appears before one that a reader " +
    "has passed. An entry is in it within seconds of the response to its write.",
  access: rules["ledger.read"],
  time: "organization",
  effect: "read",
  rest: { method: "GET", path: "/v1/ledger/entries", extension: true },
  input: z.strictObject({ ...entryFilters.shape, ...fields.listParameters }),
  output: z
    .strictObject({
      ...fields.page(entry).shape,
      final_before: fields.timestamp.meta({ description: "Nothing more will be booked before this instant." }),
    })
    .meta({ id: "LedgerEntryPage" }),
  errors: { account_not_found: 400, invalid_cursor: 400 },
  async run({ ctx, input, fail }) {
    const search = await entrySearch(ctx, input, fail);
    const page = await pageOf(ctx.runtime.keys, input, fail, {
      list: "ledger_entries",
      async rows(after, limit) {
        const found = await findEntries(ctx, search, opened(after), limit);
        return {
          rows: found.rows.map((row) => ({ ...sealed(row), row })),
          reached: found.reached === null ? null : sealed(found.reached),
        };
      },
      total: () => exactly(countEntries(ctx, search)),
      present: (rows) => rows.map(({ row }) => presentEntry(row)),
    });
    return { ...page, final_before: iso(search.finalBefore) };
  },
});

/** A position as cursors keep it. */
const sealed = ({ bookedAt, sequence, ledgerAccountId }: EntryPosition): Position => ({
  createdAt: bookedAt,
  id: Buffer.from(`${sequence} ${ledgerAccountId}`).toString("base64url"),
});

function opened(position: Position | null): EntryPosition | null {
  if (position === null) return null;
  const [sequence = "", ledgerAccountId = ""] = Buffer.from(position.id, "base64url").toString().split(" ");
  return { bookedAt: position.createdAt, sequence: Number(sequence), ledgerAccountId };
}

async function countEntries(ctx: ReadContext, search: EntrySearch): Promise<number> {
  let total = 0;
  let after: EntryPosition | null = null;
  do {
    const found: Awaited<ReturnType<typeof findEntries>> = await findEntries(ctx, search, after, 500);
    total += found.rows.length;
    after = found.reached;
  } while (after !== null);
  return total;
}
