import { refundPayment } from "@/server/payments/refund";
import { route } from "@/server/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(refundPayment);
