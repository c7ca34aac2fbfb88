// A call whose COMMIT gets no answer: the caller is told to retry, and its Idempotency-Key says what happened.
import { afterAll, beforeAll, expect, it } from "vitest";
import { listTransactions } from "@/server/domains/transactions/operations/list";
import { create, expectSoundLedger } from "@/test/money";
import { openPostgresProxy, type PostgresProxy } from "@/test/postgres-proxy";
import { anotherProcess, openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";

let world: World;
let org: TestOrganization;
let proxy: PostgresProxy;
/** Reaches the database only through the proxy. */
let cut: World;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
  proxy = await openPostgresProxy(world.database.url);
  cut = await anotherProcess(world, { databaseUrl: proxy.url });
});
afterAll(async () => {
  await cut.close();
  await proxy.close();
  await expectSoundLedger(world);
  await world.close();
});

const received = { type: "payment", amount: 500, currency: "EUR" } as const;
const pay = (idempotencyKey: string) => create(cut, org.member.actor, received, { idempotencyKey });
const count = async () => (await world.call(listTransactions, org.admin.actor, { include_total: true })).total_count;

it("the call succeeds if the outcome can be looked up in time", async () => {
  proxy.cutNextCommit("after");
  const paid = await pay("asked in time");
  expect(paid).toMatchObject({ status: "succeeded", amount: 500 });
  expect(await pay("asked in time")).toEqual(paid);
  expect(await count()).toBe(1);
});

it("the call is unavailable if the COMMIT never arrived, and the key can be used again", async () => {
  proxy.cutNextCommit("before");
  expect(await refusalOf(pay("never arrived"))).toBe("unavailable");
  expect(await count()).toBe(1);
  expect(await pay("never arrived")).toMatchObject({ status: "succeeded" });
  expect(await count()).toBe(2);
});

it("the call is unavailable while the outcome is unknown, and the key then has one effect", {
  timeout: 60_000,
}, async () => {
  proxy.cutNextCommit("after", 12_000);
  expect(await refusalOf(pay("unknown"))).toBe("unavailable");
  // It had succeeded. The caller can only be told once the database is back.
  expect(await count()).toBe(3);
  await expect
    .poll(
      () =>
        cut.runtime.db.ping().then(
          () => true,
          () => false,
        ),
      { timeout: 10_000 },
    )
    .toBe(true);
  expect(await pay("unknown")).toMatchObject({ status: "succeeded" });
  expect(await count()).toBe(3);
});
