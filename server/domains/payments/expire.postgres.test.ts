// Reopening a payment request while its account closes, or while another one of the account is reopened.
import { setTimeout as sleep } from "node:timers/promises";
import { eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { lock } from "@/db/lock";
import { accounts, payments } from "@/db/tables";
import { schedule } from "@/server/domains/jobs/queue";
import { newId } from "@/server/kit/ids";
import { runJobs } from "@/test/jobs";
import { ask, paymentRow } from "@/test/payer";
import { anotherProcess, openWorld, type World } from "@/test/world";
import { cancelRest } from "./cancel-open";
import { expirePayments, healExpired } from "./expire";

/** The id of a payment request for each refresh. */
const refreshed = vi.hoisted(() => [] as string[]);
vi.mock("./refresh", async (original) => {
  const { refreshPayment } = await original<typeof import("./refresh")>();
  const refresh: typeof refreshPayment = (ctx, id, commands) => {
    refreshed.push(id);
    return refreshPayment(ctx, id, commands);
  };
  return { refreshPayment: refresh };
});

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

/** Expires payment requests as a process whose clock is ahead does. */
async function expireEarly(ids: string[]): Promise<void> {
  const early = { status: "expired", updatedAt: world.clock.now() + 3_600_000 } as const;
  await world.runtime.db.write(
    async (tx) => void (await tx.update(payments).set(early).where(inArray(payments.id, ids))),
  );
}

it("a reopened payment request is canceled once its account is closed", async () => {
  const { id: organizationId } = await world.organization();
  const user = await world.user(organizationId);
  const { payment_id: id } = (await ask(world, user.actor)).payment;
  await expireEarly([id]);
  const { job } = await other.runtime.db.write(async (tx) => {
    await lock(tx, accounts, [user.accountId]);
    const closed = { status: "closed", closedAt: world.clock.now() } as const;
    await tx.update(accounts).set(closed).where(eq(accounts.id, user.accountId));
    // The closing has found no open payment requests.
    await healExpired(world.runtime, world.clock.now());
    const job = runJobs(world).then(() => cancelRest(world.runtime, user.accountId));
    await expect.poll(async () => (await paymentRow(world, id)).status).toBe("pending");
    return { job };
  });
  await job;
  expect((await paymentRow(world, id)).status).toBe("canceled");
});

it("reopening a payment request does not deadlock with reopening another one", async () => {
  const { id: organizationId } = await world.organization();
  const { actor, accountId } = await world.user(organizationId);
  const newRequest = async () => (await ask(world, actor)).payment.payment_id;
  const ids = [await newRequest(), await newRequest()].sort();
  await expireEarly(ids);
  const now = world.clock.now();
  const wanted = { kind: "payments.cancel_open", organizationId, objectId: accountId, dueAt: now } as const;
  refreshed.length = 0;
  const { job } = await other.runtime.db.write(async (tx) => {
    await lock(tx, payments, ids.slice(1));
    const job = expirePayments(world.runtime, ids);
    // By now it waits for the second payment request's lock.
    await sleep(300);
    await schedule({ db: tx, now, realNow: now, id: (prefix) => newId(prefix, now) }, wanted);
    return { job };
  });
  await job;
  // A transaction that lost a deadlock would have been retried.
  expect(refreshed).toEqual(ids);
});
