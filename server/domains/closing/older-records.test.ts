// Older records get no customer of what an erasure has not reached yet.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { transactions } from "@/db/tables";
import { listCustomers } from "@/server/domains/customers/operations/list";
import { readCustomer } from "@/server/domains/customers/store";
import { schedule } from "@/server/domains/jobs/queue";
import type { Progress } from "@/server/domains/jobs/store";
import { inBackground } from "@/server/domains/records/in-background";
import { linkCustomers } from "@/server/domains/transactions/customers";
import { newId } from "@/server/kit/ids";
import { hourMs } from "@/server/kit/limits";
import { type CreateInput, create, rowOf } from "@/test/money";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { eraseFamily, eraseOn } from "./erased";

let world: World;
let org: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
});
afterAll(() => world.close());

const never = new AbortController().signal;

it("older transactions wait while a customer is being erased, whose data they may still have", async () => {
  const given: CreateInput = {
    type: "payment",
    amount: 300,
    currency: "EUR",
    customer: { name: "Grace", email: "grace@example.com" },
  };
  const made = await create(world, org.member.actor, given);
  const row = await rowOf(world, made.transaction_id);
  const older = Array.from({ length: 700 }, (_, n) => ({
    ...row,
    customerId: null,
    id: newId("txn", row.createdAt + n),
  }));
  await world.runtime.db.write(async (tx) => {
    for (const one of older) await tx.insert(transactions).values(one);
  });
  world.clock.advance(1000);
  const erasing = { kind: "customers.erase", organizationId: org.id, objectId: made.customer_id ?? "" } as const;
  let rest = await inBackground(world.runtime, "test.erase", async (ctx) => {
    ctx.audit({ target: erasing.objectId, organizationId: org.id });
    const customer = await readCustomer(ctx.db, erasing.objectId);
    const progress = customer ? await eraseFamily(ctx.db, [customer], world.clock.now()) : null;
    await schedule(ctx, { ...erasing, afterMs: hourMs, progress });
    return progress as Progress;
  });
  // The whole pass.
  for (let run: Progress = null, pass = 1; pass === 1; ) {
    run = (await linkCustomers(world.runtime, org.id, never, run))?.progress ?? null;
    pass = (run as { pass: number }).pass;
  }
  expect(
    (await world.call(listCustomers, org.member.actor, {})).data.filter(({ erased_at }) => erased_at === null),
  ).toEqual([]);
  while (rest !== null) rest = await eraseOn(world.runtime, rest, never);
  const isOwn = eq(transactions.organizationId, org.id);
  const named = (await world.runtime.db.read.select().from(transactions).where(isOwn)).filter(
    ({ customer }) => customer?.email === "grace@example.com",
  );
  expect(named).toEqual([]);
});
