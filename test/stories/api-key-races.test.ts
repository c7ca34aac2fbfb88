// API keys under real concurrency, over two processes: rotations at once, revocation, use, and closing the account.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { apiKeys, events } from "@/db/tables";
import { createApiKey } from "@/server/domains/api-keys/operations/create";
import { revokeApiKey } from "@/server/domains/api-keys/operations/revoke";
import { rotateApiKey } from "@/server/domains/api-keys/operations/rotate";
import { closeAccount } from "@/server/domains/closing/operations/close-account";
import { listTransactions } from "@/server/domains/transactions/operations/list";
import { limits } from "@/server/kit/limits";
import { insertApiKeys } from "@/test/api-keys";
import { callWith, newPerson } from "@/test/people";
import { anotherProcess, openWorld, type TestOrganization, type World } from "@/test/world";

let world: World;
let other: World;
let org: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  other = await anotherProcess(world);
  org = await world.organization();
});
afterAll(async () => {
  await other.close();
  await world.close();
});

/** The instance that serves the call: each of the two in turn. */
const on = (turn: number) => (turn % 2 === 0 ? world : other);
const make = (given: { account_id?: string } = {}) =>
  world.call(createApiKey, org.admin.actor, { name: "Till", scopes: ["transactions:read"], ...given });
const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "ok",
    (error: { code?: string }) => error.code ?? String(error),
  );
const use = (instance: World, secret: string | null) =>
  outcome(callWith(instance, listTransactions, secret ?? "", {}, { ip: "203.0.113.9" }));
const eventsOf = async (id: string) => {
  const rows = await world.runtime.db.read.select().from(events).where(eq(events.objectId, id));
  return rows.sort((a, b) => a.sequence - b.sequence).map(({ sequence, type }) => [sequence, type]);
};

it("six concurrent rotations all succeed, and exactly two secrets work afterwards", async () => {
  const key = await make();
  const input = { api_key_id: key.api_key_id };
  const rotated = await Promise.all(
    [0, 1, 2, 3, 4, 5].map((turn) => on(turn).call(rotateApiKey, org.admin.actor, input)),
  );
  const secrets = [key.secret, ...rotated.map(({ secret }) => secret)];
  expect(new Set(secrets).size).toBe(7);
  for (const instance of [world, other]) {
    const outcomes = await Promise.all(secrets.map((secret) => use(instance, secret)));
    expect(outcomes.sort()).toEqual([...Array(2).fill("ok"), ...Array(5).fill("unauthorized")]);
  }
  expect((await eventsOf(key.api_key_id)).map(([sequence]) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

it("no secret survives a revocation that races with rotations", async () => {
  for (let round = 0; round < 4; round++) {
    const key = await make();
    const input = { api_key_id: key.api_key_id };
    const rotations = [0, 1, 2].map((turn) => on(turn).call(rotateApiKey, org.admin.actor, input));
    const revocations = [0, 1].map((turn) => outcome(on(turn).call(revokeApiKey, org.admin.actor, input)));
    const settled = await Promise.allSettled(rotations);
    expect((await Promise.all(revocations)).sort()).toEqual(["api_key_not_found", "ok"]);
    const made = settled.flatMap((each) => (each.status === "fulfilled" ? [each.value.secret] : []));
    for (const secret of [key.secret, ...made]) {
      expect(await use(world, secret)).toBe("unauthorized");
      expect(await use(other, secret)).toBe("unauthorized");
    }
    const types = (await eventsOf(key.api_key_id)).map(([, type]) => type);
    expect(types.filter((type) => type === "api_key.revoked")).toHaveLength(1);
    expect(types.at(-1)).toBe("api_key.revoked");
  }
});

it("from the answer to its revocation on, no instance accepts the key that is in constant use", async () => {
  const key = await make();
  let isRevoked = false;
  let accepted = 0;
  const late: string[] = [];
  const user = async (turn: number) => {
    for (let i = 0; i < 20; i++) {
      const afterwards = isRevoked;
      const seen = await use(on(turn + i), key.secret);
      if (seen === "ok") accepted++;
      if (afterwards && seen !== "unauthorized") late.push(seen);
    }
  };
  const users = [0, 1, 2, 3].map(user);
  await use(world, key.secret);
  await other.call(revokeApiKey, org.admin.actor, { api_key_id: key.api_key_id });
  isRevoked = true;
  await Promise.all(users);
  expect(late).toEqual([]);
  expect(accepted).toBeGreaterThan(0);
  expect([await use(world, key.secret), await use(other, key.secret)]).toEqual(["unauthorized", "unauthorized"]);
});

it("no key outlives its account if the account closes while the key is created", async () => {
  for (let round = 0; round < 4; round++) {
    const { accountId } = await newPerson(world, org.admin.actor);
    const closing = other.call(closeAccount, org.admin.actor, { account_id: accountId });
    const makings = [0, 1, 2].map((turn) =>
      on(turn).call(createApiKey, org.admin.actor, {
        ...{ name: "Till", scopes: ["transactions:read"], account_id: accountId },
      }),
    );
    const made = await Promise.allSettled(makings);
    await closing;
    for (const each of made) {
      if (each.status === "fulfilled") expect(await use(world, each.value.secret)).toBe("unauthorized");
      else expect(each.reason).toMatchObject({ code: "account_closed" });
    }
    const rows = await world.runtime.db.read.select().from(apiKeys).where(eq(apiKeys.accountId, accountId));
    expect(rows.filter((row) => row.revokedAt === null)).toEqual([]);
  }
});

it("concurrent creations stop at the maximum", async () => {
  const full = await world.organization("Full");
  const room = 3;
  await insertApiKeys(world, full.id, limits.apiKeys - room);
  const input = { name: "Till", scopes: ["transactions:read"] };
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, (_, turn) => outcome(on(turn).call(createApiKey, full.admin.actor, input))),
  );
  expect(outcomes.filter((each) => each === "ok")).toHaveLength(room);
  expect(outcomes.filter((each) => each === "too_many_api_keys")).toHaveLength(8 - room);
});
