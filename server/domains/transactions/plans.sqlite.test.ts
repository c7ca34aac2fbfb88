// How SQLite plans the list's queries: along the index that bounds them, whatever the other filters.
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type * as z from "zod";
import { createCustomer } from "@/server/domains/customers/operations/create";
import type { Actor } from "@/server/kit/context";
import { eraseCustomerOf } from "@/test/closing";
import { earn } from "@/test/money";
import { watchPlans } from "@/test/plans";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { listTransactions } from "./operations/list";

// No value counts as rare, so that every query walks a path.
vi.mock("@/server/kit/limits", async (original) => {
  const { limits, ...rest } = await original<typeof import("@/server/kit/limits")>();
  return { ...rest, limits: { ...limits, look: { ...limits.look, few: -1 } } };
});

const plans = watchPlans();

let world: World;
let org: TestOrganization;

type Query = z.input<typeof listTransactions.input>;

/** The plan steps of all transaction queries of a list call, apart from the bounded count of rare values. */
async function plansOf(actor: Actor, query: Query): Promise<string[]> {
  plans.clear();
  await world.call(listTransactions, actor, query);
  // A statement is prepared only once, so each list must use a query that no other list uses.
  const found = plans.of(world.database.url, /^(?!.*"few").*from .*"transactions"/s);
  return found.flatMap((plan) => plan.split("\n"));
}

const indexOf = (steps: string[]): string[] => [
  ...new Set(steps.flatMap((step) => /SEARCH transactions USING (?:COVERING )?INDEX (\w+)/.exec(step)?.[1] ?? [])),
];

beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
  for (let i = 0; i < 3; i++) await earn(world, org.member, 100);
});
afterAll(() => world.close());

const words = { q: "a b c" };
it.each<[string, Query, string]>([
  ["nothing", {}, "transactions_page"],
  ["a status", { status: ["succeeded"] }, "transactions_sums"],
  ["several statuses", { status: ["succeeded", "failed", "expired"] }, "transactions_sums"],
  ["words", words, "transactions_page"],
  ["a currency and an amount", { currency: "EUR", amount_min: 5 }, "transactions_page"],
  ["a type", { type: ["refund"] }, "transactions_page"],
  [
    "an address, a status, words",
    { customer_email: "a@b.c", status: ["failed"], ...words },
    "transactions_customer_email",
  ],
  ["a reference and a status", { reference: "R", status: ["failed"] }, "transactions_reference_page"],
  ["a card and a status", { card_last4: "4242", status: ["failed"] }, "transactions_card"],
  ["a payment", { payment_id: "pay_01kacz7q4v8n2j5s6t3w9x0y1r", currency: "EUR" }, "transactions_payment"],
])("an admin's list by %s walks one index in its order", async (_by, query, index) => {
  const steps = await plansOf(org.admin.actor, query);
  expect(indexOf(steps)).toEqual([index]);
  expect(steps.filter((step) => /TEMP B-TREE|SCAN/.test(step))).toEqual([]);
});

it.each<[string, Query]>([
  ["nothing", {}],
  ["statuses", { status: ["succeeded", "failed"] }],
  ["words", words],
  ["an address", { customer_email: "a@b.c" }],
  ["a tag", { metadata: { order: "7" } }],
  ["a currency", { currency: "EUR" }],
])("a member's list by %s walks only its own accounts", async (_by, query) => {
  const steps = await plansOf(org.member.actor, query);
  expect(indexOf(steps).sort()).toEqual(["transactions_account_page", "transactions_destination_page"]);
  expect(steps.filter((step) => /TEMP B-TREE|SCAN/.test(step))).toEqual([]);
});

it("what is unanswered is found among the few transactions with such a status, for admins and members", async () => {
  for (const { actor } of [org.admin, org.member]) {
    const steps = await plansOf(actor, { unanswered: true });
    expect(indexOf(steps)).toEqual(["transactions_sums"]);
    expect(steps.filter((step) => /TEMP B-TREE|SCAN/.test(step))).toEqual([]);
  }
});

it("what is disputed is found along an index that has no others, for admins and members", async () => {
  for (const { actor } of [org.admin, org.member]) {
    const steps = await plansOf(actor, { disputed: true, include_total: true });
    expect(indexOf(steps)).toEqual(["transactions_disputed_page"]);
    expect(steps.filter((step) => /TEMP B-TREE|SCAN/.test(step))).toEqual([]);
  }
});

it("what settled in a period is found among what was created not long before, and that by an index of the late ones", async () => {
  const settled = { settled_from: "2026-11-01", settled_to: "2026-12-01" };
  for (const [{ actor }, indices] of [
    [org.admin, ["transactions_page"]],
    [org.member, ["transactions_account_page", "transactions_destination_page"]],
  ] as const) {
    const steps = await plansOf(actor, settled);
    const walked = steps.filter((step) => !step.includes("transactions_settled_late"));
    if (actor === org.admin.actor) {
      expect(steps).toContainEqual(
        expect.stringMatching(/INDEX transactions_settled_late \(organization_id=\? AND settled_at>/),
      );
    }
    expect(indexOf(walked).sort()).toEqual(indices);
    for (const step of walked.filter((one) => one.includes("SEARCH transactions"))) {
      expect(step).toMatch(/created_at>\? AND created_at<\?|\(created_at,id\)</);
    }
    expect(steps.filter((step) => /TEMP B-TREE|SCAN/.test(step))).toEqual([]);
  }
});

it("words are looked up for each candidate", async () => {
  const steps = await plansOf(org.admin.actor, { q: "a b" });
  expect(steps.filter((step) => step.includes("transaction_words"))).toContainEqual(
    expect.stringContaining("(transaction_id=? AND word>? AND word<?)"),
  );
});

it("a tag's own index gives the page", async () => {
  const steps = await plansOf(org.admin.actor, { metadata: { order: "7" }, status: ["failed"] });
  expect(steps.filter((step) => step.includes("leading"))).toContainEqual(
    expect.stringContaining("transaction_tags_search"),
  );
  expect(steps.filter((step) => /TEMP B-TREE|SCAN/.test(step))).toEqual([]);
});

it("the few transactions of a customer are found along its index and that of payment requests", async () => {
  const customer_id = (await world.call(createCustomer, org.member.actor, { name: "Grace" })).customer_id;
  plans.clear();
  await world.call(listTransactions, org.admin.actor, { customer_id });
  const plan = plans.of(world.database.url, /"few"/).join("\n");
  expect(plan).toMatch(/INDEX transactions_customer .*customer_id=\?/);
  expect(plan).toMatch(/INDEX transactions_payment .*payment_id=\?/);
  expect(plan).not.toMatch(/SCAN (transactions|payments)/);
});

it("an erasure finds what is about the customer by indices, however many transactions the account has", async () => {
  const { customer_id } = await world.call(createCustomer, org.member.actor, {
    ...{ name: "Grace", email: "grace@example.com", reference: "G-1" },
  });
  plans.clear();
  await eraseCustomerOf(world, org.member.actor, customer_id);
  const steps = plans.of(world.database.url, /^select "id", "customer_email_key" from "transactions"/);
  const indices = ["transactions_customer", "transactions_customer_reference", "transactions_customer_email"];
  expect(indexOf(steps.flatMap((plan) => plan.split("\n")))).toEqual(indices);
});

it("a typed amount is found along the index of amounts, apart from its words", async () => {
  plans.clear();
  await world.call(listTransactions, org.admin.actor, { q: "77.50", include_total: true });
  const byAmount = plans.of(world.database.url, /^(?!.*"few").*from .*"transactions".*"amount" = \+\?/s);
  expect(byAmount.length).toBeGreaterThan(0);
  const found = indexOf(byAmount.flatMap((plan) => plan.split("\n")));
  expect(found).toContain("transactions_amount_page");
  for (const plan of byAmount) expect(plan).not.toMatch(/TEMP B-TREE|SCAN transactions/);
});
