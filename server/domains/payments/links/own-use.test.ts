// A payer whose payment may still be made is not charged again through a reusable link, and strangers learn nothing of it.
import { afterAll, beforeAll, expect, it } from "vitest";
import { lostAnswerCode, troubledCard } from "@/server/domains/providers/test-cards";
import { runJobs } from "@/test/jobs";
import { askMany, linkForm, payUse, sendUse } from "@/test/link-payer";
import { card, transactionsOf } from "@/test/payer";
import { openWorld, type TestUser, type World } from "@/test/world";
import { listPaymentRequests } from "../operations/list";

let world: World;
let member: TestUser;
beforeAll(async () => {
  world = await openWorld({ PAY_FAILURES_PER_IP: "10000" });
  member = (await world.organization()).member;
});
afterAll(() => world.close());

const lost = { ...card(troubledCard), security_code: lostAnswerCode };
const home = { ip: "198.51.100.1" };
const elsewhere = { ip: "203.0.113.1" };
const usesOf = async (parent_payment_id: string) =>
  (await world.call(listPaymentRequests, member.actor, { parent_payment_id })).data;

it("two forms of one payer at once charge once", async () => {
  const { payment, token } = await askMany(world, member.actor);
  const forms = [await linkForm(world, token), await linkForm(world, token)];
  const answers = await Promise.all(forms.map((form) => sendUse(world, form, home)));
  // On a fast engine the first has succeeded before the second begins.
  const [first, ...others] = await usesOf(payment.payment_id);
  const refused = answers.filter(({ problems }) => problems.includes("being_checked"));
  expect(others.length + refused.length).toBe(1);
  expect(first).toMatchObject({ status: "paid" });
});

it("the same payer is refused while the outcome is not known, and strangers and other payers pay", async () => {
  const { payment, token } = await askMany(world, member.actor);
  const { payment_id } = await payUse(world, token, lost, home);
  const form = await linkForm(world, token);
  const refused = { result: "refused", problems: ["being_checked"], payment_url: null, payment_id: payment.payment_id };
  expect(await sendUse(world, form, home)).toEqual({ ...refused, action_url: null });
  expect(await transactionsOf(world, payment_id)).toHaveLength(1);
  await payUse(world, token, {}, elsewhere);
  await payUse(world, token, { email: "ada@example.com" }, home);
  expect(await usesOf(payment.payment_id)).toHaveLength(3);
  const other = await askMany(world, member.actor);
  await payUse(world, other.token, {}, home);
  world.clock.advance(31_000);
  await runJobs(world);
  expect(await sendUse(world, form, home)).toMatchObject({ result: "submitted" });
});

it("a form that the browser was shown leads to its use, whatever name and e-mail address are typed", async () => {
  const { payment, token } = await askMany(world, member.actor, { usage_limit: 2 });
  const first = await linkForm(world, token, lost);
  const { payment_id, payment_url } = await sendUse(world, first, home);
  const second = await linkForm(world, token, { email: "ada@example.com", shown: ["unknown", first.form_token] });
  expect(await sendUse(world, second, elsewhere)).toEqual({
    ...{ payment_id, payment_url, result: "submitted", problems: [], action_url: null },
  });
  expect(await usesOf(payment.payment_id)).toHaveLength(1);
});
