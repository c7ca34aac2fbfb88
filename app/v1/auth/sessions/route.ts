import { listSessions } from "@/server/sessions/list";
import { route } from "@/server/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(listSessions);
