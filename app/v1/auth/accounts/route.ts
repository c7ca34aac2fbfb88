import { listAccounts } from "@/server/domains/accounts/operations/list";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(listAccounts);
