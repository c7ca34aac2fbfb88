import { createCustomer } from "@/server/domains/customers/operations/create";
import { listCustomers } from "@/server/domains/customers/operations/list";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(createCustomer, listCustomers);
