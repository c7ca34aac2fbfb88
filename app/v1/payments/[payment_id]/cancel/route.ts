import { cancelPayment } from "@/server/payments/cancel";
import { route } from "@/server/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(cancelPayment);
