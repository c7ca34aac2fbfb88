import { closeAccount } from "@/server/accounts/close";
import { route } from "@/server/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(closeAccount);
