import { cancelPayment } from "@/server/domains/payments/operations/cancel";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(cancelPayment);
