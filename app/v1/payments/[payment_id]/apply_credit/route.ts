import { applyCredit } from "@/server/domains/payments/operations/apply-credit";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(applyCredit);
