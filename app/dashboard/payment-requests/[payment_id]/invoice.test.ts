// The file of an invoice in the dashboard: for those who see the payment request, and nobody else.
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { eraseCustomer } from "@/server/domains/closing/operations/erase-customer";
import { ask, payWith } from "@/test/payer";
import { pdfIn, textOfPdf } from "@/test/pdf";
import { signInByCookie } from "@/test/signing-in";
import { openWorld, serve, type TestOrganization, type TestUser, type World } from "@/test/world";
import { GET } from "./invoice.pdf/route";

const sent = vi.hoisted(() => ({ cookie: "" }));
vi.mock("next/headers", () => ({ headers: async () => new Headers({ cookie: sent.cookie }) }));

let world: World;
let org: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  serve(world);
  org = await world.organization();
});
afterAll(() => world.close());

const get = async (payment_id: string, user: TestUser | null) => {
  sent.cookie = user === null ? "" : await signInByCookie(world, user);
  return GET(new Request("http://localhost/invoice.pdf"), { params: Promise.resolve({ payment_id }) });
};
const invoice = (more: object = {}) => ask(world, org.member.actor, { type: "invoice", ...more });

it("is a file under the invoice's number, which no cache keeps", async () => {
  const { payment } = await invoice();
  const response = await get(payment.payment_id, org.member);
  const name = `attachment; filename="invoice-${payment.invoice_number}.pdf"`;
  expect(response.headers.get("content-disposition")).toBe(name);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(await textOfPdf(await pdfIn(response))).toContain(`Invoice ${payment.invoice_number}`);
});

it("is kept for the business once the customer was erased", async () => {
  const { payment, token } = await invoice({ customer: { name: "Grace", email: "grace@example.com" } });
  await payWith(world, token);
  const customer_id = payment.customer?.customer_id ?? "";
  await world.call(eraseCustomer, org.member.actor, { customer_id });
  expect(await textOfPdf(await pdfIn(await get(payment.payment_id, org.member)))).toContain("Grace");
});

it("is not found by others, for what is no invoice, or with a character that its fonts lack", async () => {
  const { payment } = await invoice();
  const product = await ask(world, org.member.actor);
  const lacking = await invoice({ description: "\u5c71" });
  for (const [id, user] of [
    [payment.payment_id, org.other],
    [payment.payment_id, (await world.organization()).admin],
    [product.payment.payment_id, org.member],
    [lacking.payment.payment_id, org.member],
    ["pay_unknown", org.member],
  ] as const) {
    expect((await get(id, user)).status).toBe(404);
  }
  expect((await get(payment.payment_id, null)).status).toBe(401);
});
