// Exports the list of transactions as a file: the filters of its address, the columns that it shows.
import { exportAnswer } from "@/app/_trpc/export-answer";
import { exportTransactions } from "@/server/domains/transactions/operations/export";
import { queryFieldsOf } from "@/server/kit/query-fields";
import { readQuery } from "@/server/kit/query-input";
import type { createCaller } from "@/server/pipeline/trpc-router";
import { exportColumnsFor } from "../_parts/list-shape";

const fields = queryFieldsOf(exportTransactions.input);

type Query = Parameters<ReturnType<typeof createCaller>["transactions"]["export"]>[0];

const answer = (request: Request): Promise<Response> =>
  exportAnswer(request, (caller, query) => {
    const given = readQuery(query, fields);
    const columns = Array.isArray(given.columns) ? exportColumnsFor(given.columns) : undefined;
    return caller.transactions.export({ ...given, format: "csv", columns } as Query);
  });

export { answer as GET, answer as HEAD };
