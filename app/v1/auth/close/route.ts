import { closeAccount } from "@/server/domains/closing/operations/close-account";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(closeAccount);
