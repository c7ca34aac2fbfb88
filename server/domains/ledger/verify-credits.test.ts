// The proof on customers' credit that was changed so that its sums still agree.
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { applyTo, askCustomer, makeCredit, newCustomer, refund } from "@/test/credit";
import { openRawAccess, type RawAccess } from "@/test/raw-access";
import { openWorld, type World } from "@/test/world";
import { verifyLedger } from "./verify";

let world: World;
let raw: RawAccess;
/** Two credits of one customer, of which a payment spent a part and a refund gave back a part; one of another. */
const ids = { one: "", two: "", other: "", stranger: "", payment: "", given: "", taken: "" };
beforeAll(async () => {
  world = await openWorld();
  const { actor } = (await world.organization()).member;
  const customer = await newCustomer(world, actor);
  ids.stranger = await newCustomer(world, actor, "Ada");
  ids.one = await makeCredit(world, actor, customer, 50);
  world.clock.advance(1);
  ids.two = await makeCredit(world, actor, customer, 50);
  ids.other = await makeCredit(world, actor, ids.stranger, 50);
  const paid = await applyTo(world, actor, await askCustomer(world, actor, customer, 70));
  ids.payment = paid.transaction_ids[0] ?? "";
  ids.given = (await refund(world, actor, ids.payment, 5)).transaction_id;
  ids.taken = (await refund(world, actor, ids.two, 10)).transaction_id;
  raw = await openRawAccess(world.database.url, [
    "transactions",
    "customers",
    "customer_credits",
    "customer_credit_uses",
  ]);
});
afterEach(() => raw.restore());
afterAll(async () => {
  await raw.close();
  await world.close();
});

const proof = () => verifyLedger(world.database.url, world.runtime.keys);
type Change = [sql: string, ...values: (keyof typeof ids)[]];

it("starts from sound credits", async () => {
  expect(await proof()).toMatchObject({ ok: true });
});

it.each<[string, ...Change[]]>([
  [
    "what is left moves to another credit of the customer",
    ["update customer_credits set amount_left = amount_left + 1 where id = ?", "one"],
    ["update customer_credits set amount_left = amount_left - 1 where id = ?", "two"],
  ],
  [
    "what was spent moves to another credit of the customer",
    [
      "update customer_credit_uses set amount = amount - 1 where transaction_id = ? and credit_id = ?",
      "payment",
      "one",
    ],
    [
      "update customer_credit_uses set amount = amount + 1 where transaction_id = ? and credit_id = ?",
      "payment",
      "two",
    ],
  ],
  [
    "it is larger, and so is what is left",
    ["update customer_credits set amount = amount + 1, amount_left = amount_left + 1 where id = ?", "other"],
  ],
  ["it belongs to another customer", ["update customer_credits set customer_id = ? where id = ?", "stranger", "two"]],
  [
    "its customer was erased",
    ["update customers set erased_at = 1 where id = (select customer_id from customer_credits where id = ?)", "two"],
  ],
  ["it is another payment's", ["update customer_credits set id = ? where id = ?", "payment", "other"]],
  [
    "two customers exchange equal credits",
    ["update customer_credits set amount_left = 0, amount_spent = 50 where id = ?", "other"],
  ],
  [
    "a use and what it spent are gone",
    ["delete from customer_credit_uses where transaction_id = ? and credit_id = ?", "payment", "two"],
    ["update customer_credits set amount_left = 40, amount_spent = 0 where id = ?", "two"],
  ],
  [
    "what a refund gave back is gone",
    ["delete from customer_credit_uses where transaction_id = ?", "given"],
    ["update customer_credit_uses set amount_given_back = 0 where transaction_id = ?", "payment"],
  ],
  ["a refund took it back although it failed", ["update transactions set status = 'failed' where id = ?", "taken"]],
  [
    "a refund spent it",
    ["update customer_credit_uses set kind = 'spent' where transaction_id = ?", "taken"],
    ["update customer_credits set amount_spent = amount_spent + 10 where id = ?", "two"],
  ],
  [
    "a payment was made of money instead",
    ["update transactions set uses_credit = not uses_credit where id = ?", "payment"],
  ],
  ["the credits are gone", ["delete from customer_credit_uses"], ["delete from customer_credits"]],
])("notices that %s", async (_name, ...changes) => {
  for (const [statement, ...values] of changes) await raw.run(statement, ...values.map((name) => ids[name]));
  expect(await proof()).toMatchObject({ ok: false, fault: { check: expect.stringMatching(/^(credit|transaction)$/) } });
});
