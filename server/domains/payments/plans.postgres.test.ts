// How PostgreSQL plans what reusable links need, among many payment requests of one member: by indices of their own.
import { afterAll, beforeAll, expect, it } from "vitest";
import { newId } from "@/server/kit/ids";
import { askMany, payUse } from "@/test/link-payer";
import { ask, card, paymentRow } from "@/test/payer";
import { openPlans, type Plans } from "@/test/postgres-plans";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { newLink } from "./link";
import { listPaymentRequests } from "./operations/list";
import { insertPayment, type PaymentRow } from "./store";

let world: World;
let org: TestOrganization;
let token: string;
let plansOf: Plans["of"];
let close: Plans["close"];
beforeAll(async () => {
  world = await openWorld({ PAY_FAILURES_PER_IP: "10000", LINK_USES_PER_IP: "10000" });
  org = await world.organization();
  const { payment } = await ask(world, org.member.actor);
  await copy(await paymentRow(world, payment.payment_id), 3000);
  const link = await askMany(world, org.member.actor, { usage_limit: null });
  token = link.token;
  const use = await payUse(world, token, card("4000000000000002"));
  await copy(await paymentRow(world, use.payment_id), 1000);
  ({ of: plansOf, close } = await openPlans(world.database.url, "payments"));
});
afterAll(async () => {
  await close();
  await world.close();
});

const copy = (row: PaymentRow, count: number) =>
  world.runtime.db.write(async (tx) => {
    for (let i = 1; i <= count; i++) {
      const id = newId("pay", row.createdAt + i);
      await insertPayment(tx, { ...row, id, ...newLink(world.runtime.keys, id), createdAt: row.createdAt + i });
    }
  });

it.each([
  // With few links, either of their indices will do.
  ["reusable", /using payments_(account_)?links on payments/],
  ["paused", /using payments_(account_)?links on payments/],
  ["many_declines", /using payments_(account_)?links on payments/],
  ["over_limit", /using payments_over_limit on payments/],
  ["overpaid", /using payments_overpaid on payments/],
  ["link_requested", /using payments_link_requested on payments/],
  ["reminder_waiting", /using payments_reminder_waiting on payments/],
])("lists what the filter %s wants along an index of its own, for admins and members", async (filter, index) => {
  for (const { actor } of [org.admin, org.member]) {
    const list = () => world.call(listPaymentRequests, actor, { [filter]: true, include_total: true });
    const plans = await plansOf(list, /from "payments".*(order by|or usage_limit|_at is not null|amount_overpaid > 0)/);
    for (const plan of plans) expect(plan).toMatch(index);
  }
});

it("looks for metadata only within the newest rows of the list, window by window", async () => {
  const list = () => world.call(listPaymentRequests, org.admin.actor, { metadata: { order: "A-1" } });
  for (const plan of await plansOf(list, /from "payments".*->>.*order by/)) {
    // The last window has no end. What is left may be so little that it is read as a whole.
    expect(plan).toMatch(/created_at [<>]= '\d+'|using payments_page on payments/);
  }
});

it("looks for the places that an address holds along the index of held places", async () => {
  const plans = await plansOf(() => payUse(world, token), /from "payments" inner join "transactions".*'held'/);
  for (const plan of plans) expect(plan).toMatch(/(using|on) payments_held /);
});
