// accounts.closing compared with accounts.close: the preview matches the effects.
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { auditEntries, payments } from "@/db/tables";
import { createAccount } from "@/server/domains/accounts/operations/create";
import { revokeApiKey } from "@/server/domains/api-keys/operations/revoke";
import { createPayment } from "@/server/domains/payments/operations/create";
import { signIn as signInToDashboard } from "@/server/domains/sessions/operations/sign-in";
import { createTransaction } from "@/server/domains/transactions/operations/create";
import { anonymous, apiKey, newPerson, type Person, password, signIn } from "@/test/people";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { closeAccount } from "./close-account";
import { accountClosing } from "./closing";

let world: World;
let org: TestOrganization;
let person: Person;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
});
beforeEach(async () => {
  person = await newPerson(world, org.admin.actor);
});
afterAll(() => world.close());

const day = 86_400_000;
const product = { type: "product", amount: 1250, currency: "EUR" } as const;
const second = { account_type: "business", account_name: "Second", email: "second@example.com" } as const;
const preview = () => world.call(accountClosing, org.admin.actor, { account_id: person.accountId });

/** The effects that closing recorded. */
async function closed() {
  const { canceled_payments } = await world.call(closeAccount, org.admin.actor, { account_id: person.accountId });
  const target = and(eq(auditEntries.targetId, person.accountId), eq(auditEntries.operation, "accounts.close"));
  const [entry] = await world.runtime.db.read.select().from(auditEntries).where(target);
  const detail = entry?.detail as { ended_sessions: number; revoked_keys: number; moved_users: string[] };
  return { ...detail, canceled_payments };
}

describe("200", () => {
  it("counts exactly what closing then ends", async () => {
    await signIn(world, person.email);
    const { accountId } = person;
    await apiKey(world, org.id, ["accounts:read"], { accountId });
    await apiKey(world, org.id, ["accounts:read"], { accountId, expiresAt: world.clock.now() + day });
    await apiKey(world, org.id, ["accounts:read"]);
    for (let i = 0; i < 3; i++) await world.call(createPayment, person.actor, product);
    await world.call(createTransaction, person.actor, { type: "payment", amount: 700, currency: "EUR" });

    const before = await preview();
    expect(before).toEqual({
      account_id: accountId,
      sessions: 2,
      api_keys: 2,
      payment_requests: 3,
      moved_users: 0,
      excluded_users: 1,
      balances: [{ currency: "EUR", available: 700, pending: 0, held: 0, held_for_refunds: 0, held_for_disputes: 0 }],
    });
    expect(await closed()).toMatchObject({
      ended_sessions: before.sessions,
      revoked_keys: before.api_keys,
      moved_users: [],
      canceled_payments: before.payment_requests,
    });
  });

  it("does not count what has already ended or expired", async () => {
    const { accountId } = person;
    const now = world.clock.now();
    const revoked = await apiKey(world, org.id, ["accounts:read"], { accountId });
    await world.call(revokeApiKey, org.admin.actor, { api_key_id: revoked.id });
    await apiKey(world, org.id, ["accounts:read"], { accountId, expiresAt: now + 1 });
    world.clock.advance(1);
    const soon = new Date(now + day).toISOString();
    const expired = await world.call(createPayment, person.actor, { ...product, expires_at: soon });
    await world.call(createPayment, person.actor, product);
    await world.call(signInToDashboard, anonymous, { email: person.email, password });
    expect(await preview()).toMatchObject({ sessions: 2, api_keys: 0, payment_requests: 2 });

    // By then the dashboard session has been idle too long, and one payment request has expired.
    world.clock.advance(day);
    const before = await preview();
    expect(before).toMatchObject({ sessions: 1, payment_requests: 1 });
    expect((await closed()).canceled_payments).toBe(before.payment_requests);
    const [row] = await world.runtime.db.read.select().from(payments).where(eq(payments.id, expired.payment_id));
    expect(row?.canceledAt).toBeNull();
  });

  it("counts users who move to another account and members left without one separately", async () => {
    await world.call(createAccount, person.actor, second);
    expect(await preview()).toMatchObject({ moved_users: 1, excluded_users: 0 });
    expect((await closed()).moved_users).toEqual([person.userId]);

    person = await newPerson(world, org.admin.actor, "admin");
    expect(await preview()).toMatchObject({ moved_users: 0, excluded_users: 0 });
  });

  it("answers a member about their own account", async () => {
    expect(await world.call(accountClosing, person.actor, { account_id: person.accountId })).toMatchObject({
      sessions: 1,
      excluded_users: 1,
      balances: [],
    });
  });
});

describe("400", () => {
  it("account_already_closed for a closed account", async () => {
    await closed();
    expect(await refusalOf(preview())).toBe("account_already_closed");
  });

  it("account_not_found for an account that the caller does not see", async () => {
    const call = world.call(accountClosing, org.other.actor, { account_id: person.accountId });
    expect(await refusalOf(call)).toBe("account_not_found");
  });
});
