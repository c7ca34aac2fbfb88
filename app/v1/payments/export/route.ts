import { exportPayments } from "@/server/domains/payments/operations/export";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(exportPayments);
