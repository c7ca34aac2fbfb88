import { listSessions } from "@/server/domains/sessions/operations/list";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(listSessions);
