// An account is being closed while a request of it is opened again: neither sees the other, and the request still ends.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { lock } from "@/db/lock";
import { accounts, payments } from "@/db/tables";
import { runJobs } from "@/server/testing/jobs";
import { ask, paymentRow } from "@/server/testing/payer";
import { anotherProcess, openWorld, type World } from "@/server/testing/world";
import { cancelRest } from "./cancel-open";
import { healExpired } from "./expire";

let world: World;
let other: World;
beforeAll(async () => {
  world = await openWorld();
  other = await anotherProcess(world);
});
afterAll(async () => {
  await other.close();
  await world.close();
});

it("is canceled once the account is closed", async () => {
  const { id: organizationId } = await world.organization();
  const user = await world.user(organizationId);
  const { payment_id: id } = (await ask(world, user.actor)).payment;
  const updatedAt = world.clock.now() + 3_600_000;
  await world.runtime.db.write(
    async (tx) => void (await tx.update(payments).set({ status: "expired", updatedAt }).where(eq(payments.id, id))),
  );
  const { job } = await other.runtime.db.write(async (tx) => {
    await lock(tx, accounts, [user.accountId]);
    const closed = { status: "closed", closedAt: world.clock.now() } as const;
    await tx.update(accounts).set(closed).where(eq(accounts.id, user.accountId));
    // The closing has looked for open requests and found none.
    await healExpired(world.runtime, world.clock.now());
    const job = runJobs(world).then(() => cancelRest(world.runtime, user.accountId));
    await expect.poll(async () => (await paymentRow(world, id)).status).toBe("pending");
    return { job };
  });
  await job;
  expect((await paymentRow(world, id)).status).toBe("canceled");
});
