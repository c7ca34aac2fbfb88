// Exports the ledger entries of an account as a file. The address names the first and the last day of the reader's
// calendar, as the form on the account's page sends them.
import { viewer } from "@/app/_i18n/viewer";
import { exportAnswer } from "@/app/_trpc/export-answer";
import { endOfDay, startOfDay } from "@/app/_ui/day-bounds";
import { exportEntries } from "@/server/domains/entries/operations/export";
import { queryFieldsOf } from "@/server/kit/query-fields";
import { readQuery } from "@/server/kit/query-input";
import type { createCaller } from "@/server/pipeline/trpc-router";

const fields = queryFieldsOf(exportEntries.input);

type Query = Parameters<ReturnType<typeof createCaller>["ledger"]["exportEntries"]>[0];

interface Context {
  params: Promise<{ account_id: string }>;
}

const answer = (request: Request, { params }: Context): Promise<Response> =>
  exportAnswer(request, async (caller, query) => {
    const [{ account_id }, { timeZone, locale }] = await Promise.all([params, viewer()]);
    const { booked_from: first, booked_to: last, ...given } = readQuery(query, fields);
    const entries = {
      ...given,
      account_id,
      // An empty field leaves the period open. The server refuses what is no day.
      ...(first ? { booked_from: startOfDay(String(first), timeZone) ?? first } : {}),
      ...(last ? { booked_to: endOfDay(String(last), timeZone) ?? last } : {}),
      ...(given["format"] !== "ndjson" && { spreadsheet_locale: locale }),
    };
    return caller.ledger.exportEntries(entries as Query);
  });

export { answer as GET, answer as HEAD };
