import { extendPayment } from "@/server/domains/payments/operations/extend";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(extendPayment);
