import { refreshSession } from "@/server/sessions/refresh";
import { route } from "@/server/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(refreshSession);
