// What a refused invoice reads does not grow with the invoices of the account that issued first.
import { afterAll, beforeAll, expect, it } from "vitest";
import { createAccount } from "@/server/domains/accounts/operations/create";
import { updateAccount } from "@/server/domains/accounts/operations/update";
import { watchPlans } from "@/test/plans";
import { openWorld, type World } from "@/test/world";
import { createPayment } from "../operations/create";

const plans = watchPlans();
let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

it("an invoice is refused by the numbering keys of accounts and their first invoices", async () => {
  const { admin } = await world.organization();
  const ids: string[] = [];
  const issue = (account_id: string) =>
    world.call(createPayment, admin.actor, { account_id, type: "invoice", amount: 1250, currency: "EUR" });
  for (const account_name of ["First", "Second"]) {
    const input = { account_type: "business", account_name, email: "shop@example.com" } as const;
    const { account_id } = await world.call(createAccount, admin.actor, input);
    world.clock.advance(1);
    await issue(account_id);
    const preferences = { invoice: { tax_id: "ATU12345678" } };
    await world.call(updateAccount, admin.actor, { account_id, preferences });
    ids.push(account_id);
  }
  plans.clear();
  await expect(issue(ids[1] ?? "")).rejects.toMatchObject({ code: "invoice_number_taken" });
  const found = plans.of(world.database.url, /"invoice_prefixes"|from "invoices"/);
  expect(found).toHaveLength(1);
  expect(found[0]).toContain("INDEX accounts_numbering (organization_id=? AND numbering_key=?)");
  expect(found[0]).toMatch(
    /SEARCH invoice_prefixes USING (COVERING )?INDEX \S+ \(account_id=\? AND livemode=\? AND prefix=\?\)/,
  );
});
