import { invalidateSession } from "@/server/domains/sessions/operations/invalidate";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(invalidateSession);
