import { createAccount } from "@/server/domains/accounts/operations/create";
import { updateAccount } from "@/server/domains/accounts/operations/update";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(createAccount, updateAccount);
