import { mergeCustomer } from "@/server/domains/closing/operations/merge-customer";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(mergeCustomer);
