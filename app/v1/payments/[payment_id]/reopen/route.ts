import { reopenPayment } from "@/server/domains/payments/operations/reopen";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(reopenPayment);
