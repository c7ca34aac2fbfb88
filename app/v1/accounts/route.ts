import { createAccount } from "@/server/accounts/create";
import { updateAccount } from "@/server/accounts/update";
import { route } from "@/server/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(createAccount, updateAccount);
