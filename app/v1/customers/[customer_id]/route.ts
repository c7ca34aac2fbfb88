import { eraseCustomer } from "@/server/domains/closing/operations/erase-customer";
import { getCustomer } from "@/server/domains/customers/operations/get";
import { updateCustomerFields } from "@/server/domains/customers/operations/update";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(eraseCustomer, getCustomer, updateCustomerFields);
