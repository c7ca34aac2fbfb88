import { getTransaction } from "@/server/domains/transactions/operations/get";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(getTransaction);
