import { changePassword } from "@/server/domains/sessions/operations/change-password";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(changePassword);
