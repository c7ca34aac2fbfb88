import { markPaid } from "@/server/domains/payments/operations/mark-paid";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(markPaid);
