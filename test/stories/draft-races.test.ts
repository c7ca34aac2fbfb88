// Drafts and changes at the same time as other calls, from two processes where the engine supports several.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { dialect } from "@/db/dialect";
import { customers, events, payments, paymentWords } from "@/db/tables";
import { eraseCustomer } from "@/server/domains/closing/operations/erase-customer";
import { mergeCustomer } from "@/server/domains/closing/operations/merge-customer";
import { createCustomer } from "@/server/domains/customers/operations/create";
import { cancelPayment } from "@/server/domains/payments/operations/cancel";
import { finalizePayment } from "@/server/domains/payments/operations/finalize";
import { updatePaymentRequest } from "@/server/domains/payments/operations/update";
import { atOnce } from "@/test/at-once";
import { expectSoundLedger } from "@/test/money";
import { ask, formToken, paymentRow, type RequestFields, submit } from "@/test/payer";
import { expectOneTruth } from "@/test/payment-truth";
import { anotherProcess, openWorld, type TestOrganization, type TestUser, type World } from "@/test/world";

let world: World;
let other: World;
let org: TestOrganization;
let user: TestUser;
beforeAll(async () => {
  world = await openWorld({ PAY_FAILURES_PER_IP: "10000" });
  other = dialect === "postgres" ? await anotherProcess(world) : world;
});
beforeEach(async () => {
  world.clock.advance(1000);
  org = await world.organization();
  user = org.member;
});
afterAll(async () => {
  await expectSoundLedger(world);
  if (other !== world) await other.close();
  await world.close();
});

const rounds = Array.from({ length: 6 }, (_, i) => i);
const draft = async (fields: RequestFields = {}) => (await ask(world, user.actor, { draft: true, ...fields })).payment;
const finalize = (payment_id: string, from = world) => from.call(finalizePayment, user.actor, { payment_id });
const change = (payment_id: string, patch: object, from = world) =>
  from.call(updatePaymentRequest, user.actor, { payment_id, ...patch });
const make = (name: string) => world.call(createCustomer, user.actor, { name, email: `${name}@example.com` });

it.each(rounds)("two calls finalize a draft once (%i)", async (round) => {
  const customer = { name: "Grace", email: `grace${round}@example.com` };
  const { payment_id } = await draft({ customer, reminders: { offsets_days: [-1] } });
  const answers = await atOnce(
    round,
    () => finalize(payment_id),
    () => finalize(payment_id, other),
  );
  expect(answers.sort()).toEqual(["done", "not_a_draft"]);
  const found = await world.runtime.db.read.select().from(events).where(eq(events.objectId, payment_id));
  expect(found.map(({ type }) => type).sort()).toEqual(["payment.created", "payment.finalized"]);
  const made = world.runtime.db.read.select().from(customers).where(eq(customers.accountId, user.accountId));
  expect(await made).toHaveLength(1);
  await expectOneTruth(world, payment_id);
});

it.each(rounds)("an amount changes before a draft is final, or not at all (%i)", async (round) => {
  const { payment_id } = await draft();
  const customer = { email: `ada${round}@example.com` };
  const [finalized, changed] = await atOnce(
    round,
    () => finalize(payment_id),
    () => change(payment_id, { amount: 700, customer }, other),
  );
  expect(finalized).toBe("done");
  const row = await paymentRow(world, payment_id);
  expect([row.status, row.amount]).toEqual(["pending", changed === "done" ? 700 : 1250]);
  if (changed === "done") expect(row).toMatchObject({ customer, customerId: expect.stringMatching(/^cus_/) });
  else expect([changed, row.customer]).toEqual(["payment_not_updatable", null]);
  await expectOneTruth(world, payment_id);
});

it.each(rounds)("a draft is finalized or canceled, and canceled in the end (%i)", async (round) => {
  const { payment_id } = await draft();
  const [finalized, canceled] = await atOnce(
    round,
    () => finalize(payment_id),
    () => other.call(cancelPayment, user.actor, { payment_id }),
  );
  expect(canceled).toBe("done");
  expect(["done", "not_a_draft"]).toContain(finalized);
  expect((await paymentRow(world, payment_id)).status).toBe("canceled");
  await expectOneTruth(world, payment_id);
});

it.each(rounds)("a payment keeps the customer that it began with (%i)", async (round) => {
  const { payment, token } = await ask(world, user.actor, { customer: { email: `first${round}@example.com` } });
  const form = await formToken(world, token);
  const { payment_id } = payment;
  const [changed] = await atOnce(
    round,
    () => change(payment_id, { customer: { email: `second${round}@example.com` } }),
    () => submit(other, token, form),
  );
  expect(["done", "payment_processing", "payment_not_updatable"]).toContain(changed);
  const row = await paymentRow(world, payment_id);
  expect(row.status).toBe("paid");
  expect(row.customer?.email).toBe(`${changed === "done" ? "second" : "first"}${round}@example.com`);
  await expectOneTruth(world, payment_id);
});

it.each(rounds)("nothing is addressed to a customer that is merged (%i)", async (round) => {
  const [one, two] = [await make(`one${round}`), await make(`two${round}`)];
  const { payment } = await ask(world, user.actor);
  const answers = await atOnce(
    round,
    () => change(payment.payment_id, { customer: { customer_id: one.customer_id } }),
    () => other.call(mergeCustomer, user.actor, { customer_id: one.customer_id, into_customer_id: two.customer_id }),
  );
  expect(answers).toEqual(["done", "done"]);
  expect((await paymentRow(world, payment.payment_id)).customerId).toBe(two.customer_id);
});

it.each(rounds)(
  "nothing is left of a customer that is erased, and nothing of another is erased (%i)",
  async (round) => {
    const [gone, kept] = [await make(`gone${round}`), await make(`kept${round}`)];
    const { payment: away } = await ask(world, user.actor, { customer: { customer_id: gone.customer_id } });
    const { payment: to } = await ask(world, user.actor, { customer: { customer_id: kept.customer_id } });
    const patch = (id: string) => ({ customer: { customer_id: id } });
    const erase = () => other.call(eraseCustomer, user.actor, { customer_id: gone.customer_id });
    const moving = () => change(away.payment_id, patch(kept.customer_id));
    const [moved] = await atOnce(round, moving, () =>
      Promise.all([erase(), change(to.payment_id, patch(gone.customer_id)).catch(() => null)]),
    );
    expect(moved).toBe("done");
    const rows = await world.runtime.db.read.select().from(payments).where(eq(payments.accountId, user.accountId));
    const words = await world.runtime.db.read
      .select()
      .from(paymentWords)
      .where(eq(paymentWords.organizationId, org.id));
    expect(JSON.stringify([rows, words])).not.toContain(`gone${round}`);
    for (const row of rows) {
      if (row.customerId === kept.customer_id) expect(row.customer?.name).toBe(`kept${round}`);
    }
    expect(rows.find(({ id }) => id === away.payment_id)?.customerId).toBe(kept.customer_id);
  },
);
