import { getPayment } from "@/server/domains/payments/operations/get";
import { updatePaymentRequest } from "@/server/domains/payments/operations/update";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(getPayment, updatePaymentRequest);
