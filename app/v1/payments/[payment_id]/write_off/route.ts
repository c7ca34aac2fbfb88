import { writeOffPayment } from "@/server/domains/payments/operations/write-off";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(writeOffPayment);
