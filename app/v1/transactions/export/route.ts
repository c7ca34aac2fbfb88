import { exportTransactions } from "@/server/domains/transactions/operations/export";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(exportTransactions);
