// Examples of customers.
import { customer as snapshot } from "./examples-transactions";
import { at, ids, type OperationExamples, pageOf } from "./story";

const customer = {
  ...snapshot,
  customer_id: ids.customer,
  account_id: ids.account,
  phone: "+43 1 5550100",
  address: { line1: "Graben 1", line2: null, postal_code: "1010", city: "Vienna", region: null, country: "AT" },
  tax_id: "ATU12345678",
  locale: "de-AT",
  credit: [],
  merged_into: null,
  created_at: at.request,
  updated_at: at.request,
  erased_at: null,
};

export const customerExamples: Readonly<Record<string, OperationExamples>> = {
  "customers.create": {
    requests: {
      person: { name: "Grace Hopper", email: "grace@example.com", reference: "C-9" },
      company: { account_id: ids.account, name: "Hopper Ltd", tax_id: "ATU12345678", metadata: { tier: "gold" } },
    },
    response: customer,
  },
  "customers.get": { response: customer },
  "customers.list": { response: pageOf(customer) },
  "customers.update": { requests: { phone: { phone: "+43 1 5550100" } }, response: customer },
  "customers.erase": {
    response: {
      ...customer,
      ...{ name: null, email: null, phone: null, address: null, tax_id: null, reference: null, locale: null },
      ...{ metadata: {}, updated_at: at.refund, erased_at: at.refund, kept: [] },
    },
  },
  "customers.merge": {
    requests: { duplicate: { into_customer_id: ids.customer } },
    response: { ...customer, customer_id: ids.otherCustomer, reference: null, merged_into: ids.customer },
  },
};
