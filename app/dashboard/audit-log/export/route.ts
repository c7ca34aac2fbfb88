// Exports the audit log as a file, with the filters of its address and all columns.
import { exportAnswer } from "@/app/_trpc/export-answer";
import { exportAuditEntries } from "@/server/domains/timeline/operations/audit-entries";
import { queryFieldsOf } from "@/server/kit/query-fields";
import { readQuery } from "@/server/kit/query-input";
import type { createCaller } from "@/server/pipeline/trpc-router";

const fields = queryFieldsOf(exportAuditEntries.input);

type Query = Parameters<ReturnType<typeof createCaller>["auditEntries"]["export"]>[0];

const answer = (request: Request): Promise<Response> =>
  exportAnswer(request, (caller, query) => {
    // The page's export names the columns that are shown; the file always has all of them.
    const address = new URLSearchParams(query);
    address.delete("columns");
    return caller.auditEntries.export(readQuery(address.toString(), fields) as Query);
  });

export { answer as GET, answer as HEAD };
