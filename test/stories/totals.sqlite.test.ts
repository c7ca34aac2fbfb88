// How SQLite plans the estimates of totals: along an index of the sample, whatever the filters.
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { listCustomers } from "@/server/domains/customers/operations/list";
import { listMails } from "@/server/domains/outbox/operations/list";
import { listPaymentRequests } from "@/server/domains/payments/operations/list";
import { listSubscriptions } from "@/server/domains/subscriptions/operations/read";
import { listAuditEntries } from "@/server/domains/timeline/operations/audit-entries";
import { listTransactions } from "@/server/domains/transactions/operations/list";
import type { Actor } from "@/server/kit/context";
import { watchPlans } from "@/test/plans";
import { openWorld, type TestOrganization, type World } from "@/test/world";

// Every total is estimated, and no value counts as rare.
vi.mock("@/server/kit/limits", async (original) => {
  const { limits, ...rest } = await original<typeof import("@/server/kit/limits")>();
  const totals = { ...limits.totals, exact: -1, keptMs: 0 };
  return { ...rest, limits: { ...limits, totals, look: { ...limits.look, few: -1 } } };
});

const plans = watchPlans();

let world: World;
let org: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
});
afterAll(() => world.close());

const lists = {
  transactions: listTransactions,
  payments: listPaymentRequests,
  customers: listCustomers,
  subscriptions: listSubscriptions,
  mails: listMails,
  audit_entries: listAuditEntries,
};

const days = { created_from: "2026-01-01T00:00:00Z", created_to: "2026-02-01T00:00:00Z" };

it.each<[keyof typeof lists, object]>([
  ["transactions", {}],
  ["transactions", { status: ["succeeded", "expired"], type: ["payment"] }],
  ["transactions", { ...days, currency: "EUR" }],
  ["transactions", { metadata: { order: "A-1" } }],
  ["transactions", { reference: "R", q: "a b" }],
  ["payments", {}],
  ["payments", { open: true }],
  ["payments", { ...days, type: ["invoice"], overdue: true }],
  ["payments", { customer_email: "a@b.c" }],
  ["payments", { reusable: true, metadata: { order: "A-1" } }],
  ["customers", {}],
  ["customers", { q: "ada", email: "a@b.c" }],
  ["subscriptions", {}],
  ["subscriptions", { status: ["active"], q: "ada" }],
  ["mails", {}],
  ["mails", { status: ["failed"], ...days }],
  ["audit_entries", {}],
  ["audit_entries", { ...days, action: "payments.create" }],
])("%s by %j", async (name, query) => {
  const actors: [Actor, string][] = [[org.admin.actor, `${name}_sample (organization_id=?`]];
  if (name !== "audit_entries") actors.push([org.member.actor, `${name}_account_sample (account_id=?`]);
  for (const [actor, index] of actors) {
    plans.clear();
    await world.call(lists[name] as typeof listTransactions, actor, { limit: 1, include_total: true, ...query });
    const steps = plans.of(world.database.url, /^select .*substr\(id.*$/s).flatMap((plan) => plan.split("\n"));
    const searched = steps.filter((step) => step.includes(`SEARCH ${name} `) || step.includes(`SCAN ${name}`));
    expect(searched.length).toBeGreaterThan(0);
    for (const step of searched) expect(step).toContain(index);
  }
});
