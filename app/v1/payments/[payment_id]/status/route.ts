import { paymentStatus } from "@/server/domains/payments/operations/status";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(paymentStatus);
