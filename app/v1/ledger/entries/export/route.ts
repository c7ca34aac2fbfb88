import { exportEntries } from "@/server/domains/entries/operations/export";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(exportEntries);
