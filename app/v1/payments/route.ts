import { createPayment } from "@/server/payments/create";
import { listPaymentRequests } from "@/server/payments/list";
import { route } from "@/server/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(createPayment, listPaymentRequests);
