// Card numbers are stored nowhere: after payments of every kind, no value of any row contains one.
import { afterAll, beforeAll, expect, it } from "vitest";
import { tables } from "@/db/tables";
import { answerChallenge } from "@/server/domains/payments/operations/challenge";
import { refundPayment } from "@/server/domains/payments/operations/refund";
import { dayMs } from "@/server/kit/limits";
import { runJobs } from "@/test/jobs";
import { anyFailures, askMany, payUse } from "@/test/link-payer";
import { anyone, ask, card, payWith, tokenOf } from "@/test/payer";
import { openWorld, type World } from "@/test/world";

let world: World;
beforeAll(async () => {
  world = await openWorld(anyFailures);
});
afterAll(() => world.close());

const numbers = {
  good: "4242424242424242",
  declined: "4000000000000002",
  challenged: "4000002760003184",
  disputed: "4000000000000259",
  mistyped: "4242424242424241",
};

/** As payers type them, in groups. */
const typed = (number: string) => card(number.replace(/(.{4})(?=.)/g, "$1 "));

/** The tables of which a row contains one of the numbers, however its digits are grouped. */
async function tablesWithNumbers(): Promise<string[]> {
  const found: string[] = [];
  for (const [name, table] of Object.entries(tables)) {
    const content = JSON.stringify(await world.runtime.db.read.select().from(table)).replace(/(?<=\d)[ -](?=\d)/g, "");
    if (Object.values(numbers).some((number) => content.includes(number))) found.push(name);
  }
  return found;
}

it("in no column of any table, whatever became of the payment", async () => {
  const { member, admin } = await world.organization();
  const confirm = async (url: string | null) => {
    if (url !== null) await world.call(answerChallenge, anyone, { reference: tokenOf(url), answer: "complete" });
  };
  for (const number of Object.values(numbers)) {
    const { payment, token } = await ask(world, member.actor);
    await confirm((await payWith(world, token, typed(number))).action_url);
    if (number === numbers.good) await world.call(refundPayment, admin.actor, { payment_id: payment.payment_id });
  }
  const link = await askMany(world, member.actor, { usage_limit: null });
  for (const [name, number] of Object.entries(numbers)) {
    const used = await payUse(world, link.token, { ...typed(number), email: `${name}@example.com` });
    await confirm(used.action_url);
  }
  const fields = { type: "subscription", customer: { name: "Grace" }, subscription: { interval: "month" } } as const;
  const monthly = await ask(world, member.actor, fields);
  await payWith(world, monthly.token, typed(numbers.good));
  world.clock.advance(40 * dayMs);
  await runJobs(world);
  expect(JSON.stringify(await world.runtime.db.read.select().from(tables.transactions))).toContain('"last4":"4242"');
  expect(await tablesWithNumbers()).toEqual([]);
  // The search itself finds one.
  await ask(world, member.actor, { description: `Card ${numbers.good.slice(0, 8)}-${numbers.good.slice(8)}` });
  expect(await tablesWithNumbers()).toContain("payments");
});
