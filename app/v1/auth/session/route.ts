import { invalidateSession } from "@/server/sessions/invalidate";
import { route } from "@/server/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(invalidateSession);
