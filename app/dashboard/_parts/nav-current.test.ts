// The mark of the current page in the navigation.
import { expect, it } from "vitest";
import { currentMark } from "./nav-current";

const lists = ["", "/payment-requests", "/invoices", "/subscriptions", "/customers"].map((list) => `/dashboard${list}`);

it.each([
  ["/dashboard", null, "/dashboard", "page"],
  ["/dashboard/invoices", null, "/dashboard/invoices", "page"],
  ["/dashboard/customers/cus_1", null, "/dashboard/customers", "true"],
  ["/dashboard/payment-requests/pay_1", null, "/dashboard/payment-requests", "true"],
  ["/dashboard/payment-requests/new", null, "/dashboard/payment-requests", "true"],
  ["/dashboard/payment-requests/new", "product", "/dashboard/payment-requests", "true"],
  ["/dashboard/payment-requests/new", "invoice", "/dashboard/invoices", "true"],
  ["/dashboard/payment-requests/new", "subscription", "/dashboard/subscriptions", "true"],
  // A filter of a list is no new payment request.
  ["/dashboard/payment-requests", "invoice", "/dashboard/payment-requests", "page"],
])("%s of type %s marks %s alone", (path, type, marked, mark) => {
  const marks = lists
    .map((href) => [href, currentMark({ path, type, list: null }, href)])
    .filter(([, given]) => given !== undefined);
  expect(marks).toEqual([[marked, mark]]);
});

it("an invoice's own page marks Invoices alone", () => {
  const page = { path: "/dashboard/payment-requests/pay_1", type: null, list: "/dashboard/invoices" };
  expect(lists.filter((href) => currentMark(page, href) !== undefined)).toEqual(["/dashboard/invoices"]);
});
