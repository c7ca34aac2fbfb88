// What was erased is not in SQLite's files either: neither in the database file nor in its write-ahead log.
import { existsSync, readFileSync } from "node:fs";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { databaseFile } from "@/db/sqlite";
import { accounts } from "@/db/tables";
import { createCustomer } from "@/server/domains/customers/operations/create";
import { updateCustomerFields } from "@/server/domains/customers/operations/update";
import { ask, payWith } from "@/test/payer";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { eraseCustomer } from "./erase-customer";
import { removeUser } from "./remove-user";

let world: World;
let org: TestOrganization;
let file: string;
beforeEach(async () => {
  world = await openWorld();
  org = await world.organization();
  file = databaseFile(world.runtime.env.databaseUrl);
});
afterEach(() => world.close());

/** How often the text is in each file of the database. */
const timesIn = (text: string) =>
  [file, `${file}-wal`].map(
    (path) => (existsSync(path) ? readFileSync(path).toString("latin1") : "").split(text).length - 1,
  );

const total = (text: string) => timesIn(text).reduce((sum, times) => sum + times, 0);

it("nothing of an erased customer", async () => {
  const { actor } = org.member;
  const email = "erased.person@vanished.example";
  const { customer_id } = await world.call(createCustomer, actor, { name: "Vera Vanished", email });
  for (let i = 0; i < 30; i++) {
    await ask(world, actor, { customer: { customer_id }, description: `Order ${i}` });
    await ask(world, actor, { customer: { name: "Other", email: `other${i}@kept.example` } });
    await world.call(updateCustomerFields, actor, { customer_id, phone: `+49 30 ${100_000 + i}` });
  }
  await payWith(world, (await ask(world, actor, { customer: { customer_id } })).token);
  expect(total("vanished.example")).toBeGreaterThan(30);
  await world.call(eraseCustomer, actor, { customer_id });
  await vi.waitFor(() => expect(timesIn("other1@kept.example")[1]).toBe(0), { timeout: 10_000, interval: 200 });
  expect([timesIn("vanished.example"), timesIn("Vera Vanished")]).toEqual([
    [0, 0],
    [0, 0],
  ]);
  expect(timesIn("other1@kept.example")[0]).toBeGreaterThan(0);
});

it("nothing of a removed user, also after the process has stopped", async () => {
  const { id, email, accountId } = org.other;
  const own = { email: "shop@kept.example", emailKey: "shop@kept.example", searchText: "" };
  await world.runtime.db.write((tx) => tx.update(accounts).set(own).where(eq(accounts.id, accountId)));
  expect(total(email)).toBeGreaterThan(0);
  await world.call(removeUser, org.admin.actor, { user_id: id });
  await vi.waitFor(() => expect(timesIn(email)).toEqual([0, 0]), { timeout: 10_000, interval: 200 });
  await world.runtime.close();
  expect(timesIn(email)).toEqual([0, 0]);
  await world.database.drop();
  world = await openWorld();
});
