import { getPayment } from "@/server/payments/get";
import { route } from "@/server/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(getPayment);
