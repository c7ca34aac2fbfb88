import { listEntries } from "@/server/domains/entries/operations/list";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(listEntries);
