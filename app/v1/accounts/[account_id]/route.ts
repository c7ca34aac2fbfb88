import { getAccount } from "@/server/domains/accounts/operations/get";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(getAccount);
