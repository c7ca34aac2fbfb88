import { readMe } from "@/server/domains/sessions/operations/me";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(readMe);
