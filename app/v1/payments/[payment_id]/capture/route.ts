import { capturePayment } from "@/server/domains/payments/operations/capture";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(capturePayment);
