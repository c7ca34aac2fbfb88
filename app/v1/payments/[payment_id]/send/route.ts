import { sendPayment } from "@/server/domains/payments/operations/send";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(sendPayment);
