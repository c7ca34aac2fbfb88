import { paymentStatus } from "@/server/payments/status";
import { route } from "@/server/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(paymentStatus);
