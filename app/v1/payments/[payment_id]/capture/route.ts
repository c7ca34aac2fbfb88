import { capturePayment } from "@/server/payments/capture";
import { route } from "@/server/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(capturePayment);
