import { duplicatePayment } from "@/server/domains/payments/operations/duplicate";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(duplicatePayment);
