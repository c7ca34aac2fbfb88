import { listAccounts } from "@/server/accounts/list";
import { route } from "@/server/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(listAccounts);
