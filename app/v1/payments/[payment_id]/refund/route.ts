import { refundPayment } from "@/server/domains/payments/operations/refund";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(refundPayment);
