import { createTransaction } from "@/server/domains/transactions/operations/create";
import { listTransactions } from "@/server/domains/transactions/operations/list";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(createTransaction, listTransactions);
