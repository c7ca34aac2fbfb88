import { remindPayment } from "@/server/domains/payments/operations/remind";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(remindPayment);
