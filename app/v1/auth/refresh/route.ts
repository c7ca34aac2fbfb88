import { refreshSession } from "@/server/domains/sessions/operations/refresh";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(refreshSession);
