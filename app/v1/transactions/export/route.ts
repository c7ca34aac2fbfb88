import { exportTransactions } from "@/server/transactions/export";
import { route } from "@/server/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(exportTransactions);
