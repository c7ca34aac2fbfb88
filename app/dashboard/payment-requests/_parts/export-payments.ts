// Exports a list of payment requests as a file: the filters of its address, the columns that it shows.
import { exportAnswer } from "@/app/_trpc/export-answer";
import type { ExportColumn } from "@/server/domains/payments/export-columns";
import { exportPayments } from "@/server/domains/payments/operations/export";
import { queryFieldsOf } from "@/server/kit/query-fields";
import { readQuery } from "@/server/kit/query-input";
import type { createCaller } from "@/server/pipeline/trpc-router";

const fields = queryFieldsOf(exportPayments.input);

type Query = Parameters<ReturnType<typeof createCaller>["payments"]["export"]>[0];

/** Answers with the columns of the file for those of the list, and with filters that the list always has. */
export const exportOf =
  (columnsFor: (shown: readonly string[]) => ExportColumn[], filters: Pick<NonNullable<Query>, "type"> = {}) =>
  (request: Request): Promise<Response> =>
    exportAnswer(request, (caller, query) => {
      const given = readQuery(query, fields);
      const columns = Array.isArray(given.columns) ? columnsFor(given.columns) : undefined;
      return caller.payments.export({ ...given, ...filters, format: "csv", columns } as Query);
    });
