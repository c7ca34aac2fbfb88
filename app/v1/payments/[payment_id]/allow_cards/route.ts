import { allowCards } from "@/server/domains/payments/operations/allow-cards";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(allowCards);
