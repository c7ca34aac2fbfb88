// The preview of a pay page shows what the open page of the same payment request shows, and stores nothing.
import { afterAll, beforeAll, expect, it } from "vitest";
import { payments } from "@/db/tables";
import { anyone, tokenOf } from "@/test/payer";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { createPayment } from "./create";
import { previewPayment } from "./preview";
import { viewPayment } from "./view";

let world: World;
let org: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
});
afterAll(() => world.close());

type Shown = Parameters<typeof world.call<typeof previewPayment.input, typeof previewPayment.output>>[2];
const base = { type: "product", currency: "EUR" } as const;
const preview = (content: object) =>
  world.call(previewPayment, org.member.actor, { account_id: org.member.accountId, ...base, ...content } as Shown);
const inDays = (days: number) => new Date(world.clock.now() + days * 86_400_000).toISOString();
const line = { name: "Bread", quantity: 3, unit_amount: 450, tax_rate_bp: 1000, discount_amount: 50 };

it.each<[string, () => object]>([
  ["the expiry that it gets without one", () => ({ amount: 1250 })],
  ["an amount", () => ({ amount: 1250, description: "Wedding cake", reference: "R-7", expires_at: inDays(9) })],
  [
    "line items with tax",
    () => ({ line_items: [line, { ...line, name: "Rolls", tax_rate_bp: 700 }], expires_at: inDays(9) }),
  ],
  ["an invoice", () => ({ type: "invoice", amount: 99, due_at: inDays(14), locale: "de" })],
  [
    "a subscription",
    () => ({
      type: "subscription",
      amount: 5,
      subscription: { interval: "week", interval_count: 2 },
      expires_at: inDays(9),
    }),
  ],
  ["a hold in yen", () => ({ currency: "JPY", amount: 900, capture_method: "manual", expires_at: inDays(9) })],
])("shows %s like the page itself", async (_name, content) => {
  const seen = await preview(content());
  const made = await world.call(createPayment, org.member.actor, { ...base, ...content() });
  const page = await world.call(viewPayment, anyone, { token: tokenOf(made.payment_url) });
  // Only what is final has a number.
  const numbered = { invoice_number: page.invoice_number, has_pdf: page.has_pdf };
  expect({ ...seen, ...numbered, form_token: null }).toEqual({ ...page, form_token: null });
  expect(page.state).toBe("open");
});

it("shows zero as long as there is no amount, and stores nothing", async () => {
  const before = await world.runtime.db.read.$count(payments);
  expect(await preview({ description: "Cake" })).toMatchObject({ amount: 0, amount_due: 0, form_token: "" });
  expect(await world.runtime.db.read.$count(payments)).toBe(before);
});

it("refuses accounts that the caller does not see, and sums that cannot be requested", async () => {
  const stranger = await world.organization();
  expect(await refusalOf(preview({ account_id: stranger.member.accountId, amount: 5 }))).toBe("account_not_found");
  expect(await refusalOf(preview({ line_items: [{ ...line, discount_amount: 5000 }] }))).toBe("invalid_request");
  expect(await refusalOf(preview({ line_items: [line], amount: 1 }))).toBe("amount_mismatch");
});
