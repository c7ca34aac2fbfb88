// GET /v1/ledger/entries/export: all matches, streamed as a file.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { exportFields, exportRest, onlyForCsv, openParts } from "@/server/domains/accounts/record-export";
import type { ReadContext } from "@/server/kit/context";
import { download } from "@/server/kit/download";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { iso } from "@/server/process/clock";
import { cellsOf, entryColumns } from "../export-columns";
import { entryFilters, type LedgerEntry } from "../schema";
import { type EntrySearch, entrySearch, findEntries, presentEntry } from "../search";
import type { EntryPosition } from "../store";

const { expected_count: _, ...parameters } = exportFields(entryColumns);

export const exportEntries = operation({
  id: "ledger.exportEntries",
  summary: "Export ledger entries",
  description:
    "Streams all matching ledger entries, oldest first. A period is final once no write that began before its end is " +
    "open: an export with `booked_to` in the past then has the same rows forever. The header `Period-Final` says whether " +
    "it is; of an unfinished period, the file has what was booked before `Final-Before`, and `unfinished` in its name. " +
    "The last columns of a CSV file are for bookkeeping: signed amounts and balances in major units, the name of the " +
    "account, and the days of `booked_at` and `value_at` in the caller's time zone (or the organization's, or UTC).",
  access: rules["ledger.read"],
  time: "organization",
  effect: "read",
  isAudited: true,
  rest: {
    ...exportRest,
    path: "/v1/ledger/entries/export",
    answerHeaders: {
      ...exportRest.answerHeaders,
      "Period-Final": "`true` if the file has everything that will ever be booked in the period, else `false`.",
      "Final-Before": "Nothing more will be booked before this instant.",
    },
  },
  input: z
    .strictObject({ ...entryFilters.shape, ...parameters })
    .refine(...onlyForCsv("columns"))
    .refine(...onlyForCsv("spreadsheet_locale")),
  output: download,
  errors: { account_not_found: 400 },
  async run({ ctx, input, fail }) {
    const { format, columns = entryColumns, spreadsheet_locale: locale, ...filters } = input;
    const search = await entrySearch(ctx, filters, fail);
    const isFinal = filters.booked_to !== undefined && filters.booked_to <= search.finalBefore;
    ctx.request.answerHeaders["Period-Final"] = String(isFinal);
    ctx.request.answerHeaders["Final-Before"] = iso(search.finalBefore);
    const name = isFinal ? "ledger-entries" : "ledger-entries-unfinished";
    const period = { from: filters.booked_from, to: filters.booked_to };
    const written = {
      name,
      period,
      format,
      columns,
      locale,
      cellsOf,
      accountsOf: (row: LedgerEntry) => [row.account_id],
    };
    return openParts(ctx, written, () =>
      partsOf(ctx, search, async () => ({
        ...(await entrySearch(ctx, filters, fail)),
        finalBefore: search.finalBefore,
      })),
    );
  },
});

/** All matches, part by part. What the caller sees is looked up again for each; the end of the file stays. */
async function* partsOf(
  ctx: ReadContext,
  first: EntrySearch,
  again: () => Promise<EntrySearch>,
): AsyncGenerator<LedgerEntry[]> {
  const to = Math.min(first.finalBefore, first.filters.booked_to ?? first.finalBefore);
  let search = first;
  let after: EntryPosition | null = null;
  for (;;) {
    const found: Awaited<ReturnType<typeof findEntries>> = await findEntries(
      ctx,
      search,
      after,
      limits.download.partRows,
    );
    yield found.rows.map(presentEntry);
    after = found.reached;
    if (after === null) return;
    const next = await again();
    search = { ...next, walks: next.walks.map((walk) => ({ ...walk, to })) };
  }
}
