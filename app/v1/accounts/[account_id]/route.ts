import { getAccount } from "@/server/accounts/get";
import { route } from "@/server/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(getAccount);
