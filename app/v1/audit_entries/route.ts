import { listAuditEntries } from "@/server/domains/timeline/operations/audit-entries";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(listAuditEntries);
