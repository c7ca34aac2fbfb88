import { login } from "@/server/domains/sessions/operations/login";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(login);
