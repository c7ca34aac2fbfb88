import { createTransaction } from "@/server/transactions/create";
import { listTransactions } from "@/server/transactions/list";
import { route } from "@/server/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(createTransaction, listTransactions);
