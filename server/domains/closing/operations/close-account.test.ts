// DELETE /v1/auth/close: everything that depends on an account ends with it, once, in one transaction.
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accounts, apiKeys, auditEntries, events, payments, sessions, users } from "@/db/tables";
import { createAccount } from "@/server/domains/accounts/operations/create";
import { getAccount } from "@/server/domains/accounts/operations/get";
import { rotateApiKey } from "@/server/domains/api-keys/operations/rotate";
import { createPayment } from "@/server/domains/payments/operations/create";
import { getPayment } from "@/server/domains/payments/operations/get";
import { login } from "@/server/domains/sessions/operations/login";
import { createTransaction } from "@/server/domains/transactions/operations/create";
import { anonymous, apiKey, callWith, newPerson, type Person, password, signIn } from "@/test/people";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { closeAccount } from "./close-account";

let world: World;
let org: TestOrganization;
let foreign: TestOrganization;
let person: Person;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
  foreign = await world.organization("Globex");
});
beforeEach(async () => {
  person = await newPerson(world, org.admin.actor);
});
afterAll(() => world.close());

const second = { account_type: "business", account_name: "Second", email: "second@example.com" } as const;
const product = { type: "product", amount: 1250, currency: "EUR" } as const;
const rowOf = async (id: string) => (await world.runtime.db.read.select().from(accounts).where(eq(accounts.id, id)))[0];

describe("200", () => {
  it("returns the closed account with the counts", async () => {
    const closed = await world.call(closeAccount, person.actor, { reason: "moving" });
    expect(closed).toMatchObject({
      account_id: person.accountId,
      status: "closed",
      revoked_tokens: 2,
      canceled_payments: 0,
      closed_at: new Date(world.clock.now()).toISOString(),
    });
    expect(await rowOf(person.accountId)).toMatchObject({ status: "closed", closeReason: "moving" });
  });

  it("ends the sessions of its users with their tokens, from the next request on", async () => {
    await signIn(world, person.email);
    const closed = await callWith(world, closeAccount, person.accessToken, {});
    expect(closed.revoked_tokens).toBe(4);
    const next = callWith(world, getAccount, person.accessToken, { account_id: person.accountId });
    expect(await refusalOf(next)).toBe("unauthorized");
    const rows = await world.runtime.db.read.select().from(sessions).where(eq(sessions.userId, person.userId));
    expect(rows.map((row) => [row.status, row.endReason])).toEqual(Array(2).fill(["ended", "account_closed"]));
    const again = world.call(login, anonymous, { email: person.email, password });
    expect(await refusalOf(again)).toBe("account_closed");
  });

  it("does not end other users' sessions", async () => {
    const bystander = await newPerson(world, org.admin.actor);
    await world.call(closeAccount, person.actor, {});
    const account = await callWith(world, getAccount, bystander.accessToken, { account_id: bystander.accountId });
    expect(account.status).toBe("open");
  });

  it("revokes the API keys that are bound to it, with their previous secrets, and no others", async () => {
    const bound = await apiKey(world, org.id, ["accounts:read"], { accountId: person.accountId });
    const leaving = await apiKey(world, org.id, ["accounts:read"], { accountId: person.accountId });
    await world.call(rotateApiKey, org.admin.actor, { api_key_id: leaving.id });
    const free = await apiKey(world, org.id, ["accounts:read"]);
    await world.call(closeAccount, person.actor, {});
    const read = { account_id: person.accountId };
    expect(await refusalOf(callWith(world, getAccount, bound.token, read))).toBe("unauthorized");
    expect(await refusalOf(callWith(world, getAccount, leaving.token, read))).toBe("unauthorized");
    expect((await callWith(world, getAccount, free.token, read)).status).toBe("closed");
    const [row] = await world.runtime.db.read.select().from(apiKeys).where(eq(apiKeys.id, bound.id));
    expect(row?.revokeReason).toBe("account_closed");
  });

  it("moves a user to their oldest other open account, who can then sign in immediately", async () => {
    world.clock.advance(1000);
    const older = await world.call(createAccount, person.actor, second);
    world.clock.advance(1000);
    await world.call(createAccount, person.actor, second);
    const closed = await world.call(closeAccount, person.actor, { account_id: person.accountId });
    expect(closed.revoked_tokens).toBe(2);
    const [row] = await world.runtime.db.read.select().from(users).where(eq(users.id, person.userId));
    expect(row?.accountId).toBe(older.account_id);
    const { accessToken } = await signIn(world, person.email);
    const account = await callWith(world, getAccount, accessToken, { account_id: older.account_id });
    expect(account.status).toBe("open");
  });

  it("ends no session when the user's other account closes", async () => {
    const other = await world.call(createAccount, person.actor, second);
    const closed = await world.call(closeAccount, person.actor, { account_id: other.account_id });
    expect(closed.revoked_tokens).toBe(0);
    await callWith(world, getAccount, person.accessToken, { account_id: other.account_id });
  });

  it("cancels the open payment requests", async () => {
    const { payment_id } = await world.call(createPayment, person.actor, product);
    await world.call(createPayment, person.actor, product);
    const closed = await world.call(closeAccount, org.admin.actor, { account_id: person.accountId });
    expect(closed.canceled_payments).toBe(2);
    expect((await world.call(getPayment, org.admin.actor, { payment_id })).status).toBe("canceled");
  });

  it("keeps the remaining balance, which an admin can transfer out", async () => {
    const { accountId: account_id } = person;
    await world.call(createTransaction, person.actor, { type: "payment", amount: 700, currency: "EUR" });
    const closed = await world.call(closeAccount, person.actor, {});
    expect(closed.balances).toEqual([
      { currency: "EUR", available: 700, pending: 0, held: 0, held_for_refunds: 0, held_for_disputes: 0 },
    ]);
    await world.call(createTransaction, org.admin.actor, {
      type: "transfer",
      account_id,
      destination_account_id: org.admin.accountId,
      amount: 700,
      currency: "EUR",
    });
    const account = await world.call(getAccount, org.admin.actor, { account_id });
    expect(account.balances).toEqual([
      { currency: "EUR", available: 0, pending: 0, held: 0, held_for_refunds: 0, held_for_disputes: 0 },
    ]);
  });

  it("an admin can sign in after their only account was closed", async () => {
    const admin = await newPerson(world, org.admin.actor, "admin");
    await world.call(closeAccount, org.admin.actor, { account_id: admin.accountId });
    const { accessToken } = await signIn(world, admin.email);
    expect((await callWith(world, getAccount, accessToken, { account_id: admin.accountId })).status).toBe("closed");
  });

  it("replays its response for the same Idempotency-Key", async () => {
    const request = { idempotencyKey: `close-${person.accountId}` };
    const input = { account_id: person.accountId };
    const first = await world.call(closeAccount, org.admin.actor, input, request);
    expect(await world.call(closeAccount, org.admin.actor, input, request)).toEqual(first);
  });

  it("writes one audit entry and one event, without the reason's text", async () => {
    await world.call(closeAccount, person.actor, { reason: "moving to Mars" });
    const { read } = world.runtime.db;
    const target = and(eq(auditEntries.targetId, person.accountId), eq(auditEntries.operation, "accounts.close"));
    const trail = await read.select().from(auditEntries).where(target);
    const log = await read.select().from(events).where(eq(events.objectId, person.accountId));
    expect(trail).toHaveLength(1);
    expect(log.map((event) => [event.type, event.sequence])).toEqual([
      ["account.created", 1],
      ["account.closed", 2],
    ]);
    expect(JSON.stringify([trail, log])).not.toContain("Mars");
  });
});

describe("400", () => {
  it("account_already_closed the second time, with closed_at unchanged", async () => {
    const input = { account_id: person.accountId };
    const { closed_at } = await world.call(closeAccount, org.admin.actor, input);
    world.clock.advance(1000);
    expect(await refusalOf(world.call(closeAccount, org.admin.actor, input))).toBe("account_already_closed");
    expect((await world.call(getAccount, org.admin.actor, input)).closed_at).toBe(closed_at);
  });

  it("account_already_closed for all but one of many concurrent calls", async () => {
    const input = { account_id: person.accountId };
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () => world.call(closeAccount, org.admin.actor, input)),
    );
    const refusals = results.filter((result) => result.status === "rejected");
    expect(refusals).toHaveLength(9);
    for (const { reason } of refusals) expect(reason).toMatchObject({ code: "account_already_closed" });
  });

  it("account_not_found for an account that the caller does not see", async () => {
    const bound = await apiKey(world, org.id, ["accounts:write"], { accountId: org.other.accountId });
    const unseen = [
      [person.actor, org.other.accountId],
      [person.actor, foreign.member.accountId],
      [org.admin.actor, foreign.member.accountId],
      [bound.actor, person.accountId],
      [org.admin.actor, "acct_00000000000000000000000000"],
      [org.admin.actor, "acct_!"],
    ] as const;
    for (const [actor, account_id] of unseen) {
      expect(await refusalOf(world.call(closeAccount, actor, { account_id }))).toBe("account_not_found");
    }
    expect((await rowOf(foreign.member.accountId))?.status).toBe("open");
  });

  it("invalid_request if an admin or an API key does not name it; an owner's own one of several is meant", async () => {
    const key = await apiKey(world, org.id, ["accounts:write"]);
    for (const actor of [org.admin.actor, key.actor]) {
      const call = world.call(closeAccount, actor, {});
      await expect(call).rejects.toMatchObject({
        code: "invalid_request",
        message: expect.stringMatching(/^account_id:/),
      });
    }
    await world.call(createAccount, person.actor, second);
    expect((await world.call(closeAccount, person.actor, {})).account_id).toBe(person.accountId);
  });

  it("reauthentication_required from a dashboard session that is no longer fresh", async () => {
    const cookie = { ...person.actor, sessionKind: "cookie", authenticatedAt: world.clock.now() - 600_001 } as const;
    if (cookie.type !== "user") throw new Error("A person is a user.");
    expect(await refusalOf(world.call(closeAccount, cookie, {}))).toBe("reauthentication_required");
    await world.call(closeAccount, { ...cookie, authenticatedAt: world.clock.now() }, {});
  });
});

describe("closing while payment requests are created", () => {
  it("leaves no payment request open under any interleaving", async () => {
    const input = { account_id: person.accountId };
    const calls = Array.from({ length: 12 }, () =>
      world.call(createPayment, org.admin.actor, { ...product, ...input }),
    );
    calls.splice(6, 0, world.call(closeAccount, org.admin.actor, input) as never);
    const results = await Promise.allSettled(calls);
    for (const result of results) {
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "account_closed" });
    }
    const rows = await world.runtime.db.read.select().from(payments).where(eq(payments.accountId, person.accountId));
    expect(rows.filter((row) => row.status !== "canceled")).toEqual([]);
  });
});
