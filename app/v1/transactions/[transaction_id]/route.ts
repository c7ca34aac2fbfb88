import { getTransaction } from "@/server/transactions/get";
import { route } from "@/server/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(getTransaction);
