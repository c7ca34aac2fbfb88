import { finalizePayment } from "@/server/domains/payments/operations/finalize";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(finalizePayment);
