// Who may call what: every operation, by every kind of caller, on an object of a member of the home organization.
// The expectations are written out here, independently of rules.ts.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { organizations } from "@/db/tables";
import { scopes } from "@/server/access/rules";
import type { Actor } from "@/server/kit/context";
import { Failure } from "@/server/kit/errors";
import type { Operation } from "@/server/kit/operation";
import { operations } from "@/server/pipeline/operations";
import { perform } from "@/server/pipeline/perform";
import { type ApiKey, apiKey, newEmail } from "@/test/people";
import { performAs } from "@/test/perform-as";
import { givePassword, signInAs } from "@/test/signing-in";
import { callRequest, openWorld, type TestOrganization, type TestUser, type World } from "@/test/world";

const callers = [
  "anonymous",
  "owner",
  "other member",
  "admin",
  "platform",
  "platform without the scope",
  "foreign admin",
  "foreign member",
  "foreign platform",
] as const;
type Caller = (typeof callers)[number];
type Outcome = "ok" | string;

/** A row of the table: one outcome for each caller, in the order above. */
const row = (...outcomes: Outcome[]): Record<Caller, Outcome> => {
  expect(outcomes).toHaveLength(callers.length);
  return Object.fromEntries(callers.map((caller, i) => [caller, outcomes[i]])) as Record<Caller, Outcome>;
};
const denied = "insufficient_permissions";
const unknownCaller = "unauthorized";
/** The object belongs to its owner. Its organization may use it; for everyone else it does not exist. */
const tenantOnly = (missing: Outcome, found: Outcome = "ok") =>
  row(unknownCaller, found, missing, found, found, denied, missing, missing, missing);
/** No object is named: every permitted caller gets its own result. */
const ownResult = row(unknownCaller, "ok", "ok", "ok", "ok", denied, "ok", "ok", "ok");
const adminsOnly = row(unknownCaller, denied, denied, "ok", "ok", denied, "ok", denied, "ok");
/** No API key may call it, whatever its scopes. */
const adminUsersOnly = (outcome: Outcome = "ok") =>
  row(unknownCaller, denied, denied, outcome, denied, denied, outcome, denied, denied);
const everyone = (outcome: Outcome) => row(...callers.map(() => outcome));

interface Fixture {
  person: TestUser;
  paymentId: string;
  transactionId: string;
}

interface Cell {
  expected: () => Record<Caller, Outcome>;
  input: (fixture: Fixture) => Record<string, unknown> | Promise<Record<string, unknown>>;
}

const payment = { type: "payment", amount: 100, currency: "EUR" };
const business = { account_type: "business", account_name: "New", email: "new@example.com" };
const cells: Record<string, Cell> = {
  "sessions.login": {
    expected: () => everyone("invalid_credentials"),
    input: () => ({ email: newEmail(), password: "x" }),
  },
  "sessions.signIn": {
    expected: () => everyone("invalid_credentials"),
    input: () => ({ email: newEmail(), password: "x" }),
  },
  "sessions.refresh": { expected: () => everyone("refresh_token_invalid"), input: () => ({}) },
  "sessions.invalidate": {
    expected: () =>
      row(
        unknownCaller,
        "ok",
        denied,
        "ok",
        "ok",
        denied,
        "session_not_found",
        "session_not_found",
        "session_not_found",
      ),
    input: async ({ person }) => ({ session_id: await openSession(person) }),
  },
  "sessions.signOut": {
    // Only a dashboard session can sign out this way; these callers have API sessions.
    expected: () => row(unknownCaller, denied, denied, denied, denied, denied, denied, denied, denied),
    input: () => ({}),
  },
  "sessions.list": { expected: () => ownResult, input: () => ({}) },
  "sessions.list (of the owner)": {
    expected: () => row(unknownCaller, "ok", denied, "ok", "ok", denied, "user_not_found", denied, "user_not_found"),
    input: ({ person }) => ({ user_id: person.id }),
  },
  "accounts.list": { expected: () => adminsOnly, input: () => ({}) },
  "accounts.names": { expected: () => ownResult, input: ({ person }) => ({ account_ids: [person.accountId] }) },
  "accounts.own": {
    expected: () => row(unknownCaller, "ok", "ok", "ok", denied, denied, "ok", "ok", denied),
    input: () => ({}),
  },
  "accounts.get": {
    expected: () => tenantOnly("account_not_found"),
    input: ({ person }) => ({ account_id: person.accountId }),
  },
  "accounts.create": {
    expected: () => ownResult,
    input: () => business,
  },
  "accounts.create (for the owner)": {
    expected: () => row(unknownCaller, "ok", denied, "ok", "ok", denied, "user_not_found", denied, "user_not_found"),
    input: ({ person }) => ({ ...business, owner_user_id: person.id }),
  },
  "accounts.create (for nobody)": {
    expected: () => row(unknownCaller, denied, denied, "ok", "ok", denied, "ok", denied, "ok"),
    input: () => ({ ...business, owner_user_id: null }),
  },
  "accounts.update": {
    expected: () => tenantOnly("account_not_found"),
    input: ({ person }) => ({ account_id: person.accountId, account_name: "Renamed" }),
  },
  "accounts.close": {
    expected: () => tenantOnly("account_not_found"),
    input: ({ person }) => ({ account_id: person.accountId }),
  },
  "accounts.closing": {
    expected: () => tenantOnly("account_not_found"),
    input: ({ person }) => ({ account_id: person.accountId }),
  },
  "users.create": {
    expected: () => row("ok", denied, denied, "ok", "ok", denied, "ok", denied, "ok"),
    input: () => ({ email: `${crypto.randomUUID()}@example.com`, password: "a long enough passphrase" }),
  },
  "users.create (admin)": {
    expected: () => row(denied, denied, denied, "ok", denied, denied, "ok", denied, denied),
    input: () => ({ email: newEmail(), password: "a long enough passphrase", role: "admin" }),
  },
  "users.changePassword": {
    // Only users themselves. The password is wrong, because these callers have none.
    expected: () =>
      row(
        ...[unknownCaller, "invalid_credentials", "user_not_found", denied, denied, denied],
        ...["user_not_found", "user_not_found", denied],
      ),
    input: ({ person }) => ({
      ...{ user_id: person.id, current_password: "x" },
      new_password: "an entirely new passphrase",
    }),
  },
  "users.viewReset": { expected: () => everyone("ok"), input: () => ({ token: "none" }) },
  "users.resetPassword": {
    expected: () => everyone("reset_link_invalid"),
    input: () => ({ token: "none", new_password: "an entirely new passphrase" }),
  },
  "users.list": { expected: () => adminsOnly, input: () => ({}) },
  "users.current": {
    expected: () => row(unknownCaller, "ok", "ok", "ok", denied, denied, "ok", "ok", denied),
    input: () => ({}),
  },
  "users.remove": { expected: () => tenantOnly("user_not_found"), input: ({ person }) => ({ user_id: person.id }) },
  "payments.create": {
    expected: () => tenantOnly("account_not_found"),
    input: ({ person }) => ({ account_id: person.accountId, type: "product", amount: 100, currency: "EUR" }),
  },
  "payments.list": { expected: () => ownResult, input: () => ({}) },
  "payments.acts": {
    expected: () => tenantOnly("payment_not_found"),
    input: ({ paymentId }) => ({ payment_id: paymentId }),
  },
  "payments.overpaid": { expected: () => ownResult, input: () => ({}) },
  "payments.counts": { expected: () => ownResult, input: () => ({}) },
  "payments.get": {
    expected: () => tenantOnly("payment_not_found"),
    input: ({ paymentId }) => ({ payment_id: paymentId }),
  },
  "payments.status": {
    expected: () => tenantOnly("payment_not_found"),
    input: ({ paymentId }) => ({ payment_id: paymentId }),
  },
  "payments.cancel": {
    expected: () => tenantOnly("payment_not_found"),
    input: ({ paymentId }) => ({ payment_id: paymentId }),
  },
  "payments.capture": {
    expected: () => tenantOnly("payment_not_found", "payment_not_capturable"),
    input: ({ paymentId }) => ({ payment_id: paymentId }),
  },
  "payments.refund": {
    expected: () => tenantOnly("payment_not_found", "refund_exceeds_captured"),
    input: ({ paymentId }) => ({ payment_id: paymentId }),
  },
  "payments.refund (of a paid request)": {
    expected: () => tenantOnly("payment_not_found"),
    input: async ({ person, paymentId }) => {
      await world.call(operations.transactions.create, person.actor, {
        ...{ type: "payment", amount: 500, currency: "EUR" },
        payment_id: paymentId,
      });
      return { payment_id: paymentId };
    },
  },
  "payments.refundSurplus": {
    expected: () => tenantOnly("payment_not_found", "refund_exceeds_captured"),
    input: ({ paymentId, transactionId }) => ({ payment_id: paymentId, transaction_id: transactionId, amount: 100 }),
  },
  "payments.leaveChallenge": { expected: () => everyone("payment_not_found"), input: () => ({ token: "unknown" }) },
  "sandbox.challenge": {
    expected: () => everyone("payment_not_found"),
    input: () => ({ reference: `sandbox_charge_${"0".repeat(24)}` }),
  },
  "sandbox.answerChallenge": {
    expected: () => everyone("payment_not_found"),
    input: () => ({ reference: `sandbox_charge_${"0".repeat(24)}`, answer: "complete" }),
  },
  "jobs.dead": { expected: () => adminUsersOnly(), input: () => ({}) },
  "jobs.retryAll": { expected: () => adminUsersOnly(), input: () => ({}) },
  "jobs.retry": { expected: () => adminUsersOnly("job_not_found"), input: () => ({ job_id: world.id("job") }) },
  "payments.view": { expected: () => everyone("payment_not_found"), input: () => ({ token: "unknown" }) },
  "payments.receipt": { expected: () => everyone("payment_not_found"), input: () => ({ token: "unknown" }) },
  "payments.pay": {
    expected: () => everyone("payment_not_found"),
    input: () => ({ token: "unknown", form_token: "none" }),
  },
  "transactions.create (payment)": {
    expected: () => tenantOnly("account_not_found"),
    input: ({ person }) => ({ ...payment, account_id: person.accountId }),
  },
  "transactions.create (refund)": {
    expected: () => tenantOnly("transaction_not_found"),
    input: ({ person, transactionId }) => ({
      type: "refund",
      account_id: person.accountId,
      parent_transaction_id: transactionId,
      amount: 1,
    }),
  },
  "transactions.create (refund from a closed account)": {
    expected: () =>
      row(
        ...[unknownCaller, "account_closed", "transaction_not_found", "ok", "account_closed", denied],
        ...["transaction_not_found", "transaction_not_found", "transaction_not_found"],
      ),
    input: async ({ person, transactionId }) => {
      await world.call(operations.accounts.close, home.admin.actor, { account_id: person.accountId });
      return { ...{ type: "refund", parent_transaction_id: transactionId, amount: 1 }, account_id: person.accountId };
    },
  },
  "transactions.create (transfer)": {
    expected: () => tenantOnly("account_not_found"),
    input: ({ person }) => ({
      ...{ type: "transfer", amount: 1, currency: "EUR", account_id: person.accountId },
      destination_account_id: home.admin.accountId,
    }),
  },
  "transactions.create (credit)": {
    expected: () =>
      row(unknownCaller, denied, denied, "ok", "ok", denied, "account_not_found", denied, "account_not_found"),
    input: ({ person }) => ({ type: "credit", amount: 1, currency: "EUR", account_id: person.accountId }),
  },
  "transactions.create (adjustment)": {
    expected: () =>
      row(unknownCaller, denied, denied, "ok", "ok", denied, "account_not_found", denied, "account_not_found"),
    input: ({ person }) => ({
      ...{ type: "adjustment", direction: "in", reason: "correction" },
      ...{ amount: 1, currency: "EUR", account_id: person.accountId },
    }),
  },
  "transactions.list": { expected: () => ownResult, input: () => ({}) },
  "transactions.export": { expected: () => ownResult, input: () => ({}) },
  "transactions.postings": {
    expected: () => tenantOnly("transaction_not_found"),
    input: ({ transactionId }) => ({ transaction_id: transactionId }),
  },
  "transactions.get": {
    expected: () => tenantOnly("transaction_not_found"),
    input: ({ transactionId }) => ({ transaction_id: transactionId }),
  },
  ...Object.fromEntries(
    (["paymentId", "transactionId", "accountId"] as const).map((kind): [string, Cell] => [
      `events.timeline (${kind})`,
      {
        expected: () =>
          row(
            unknownCaller,
            ...["ok", "object_not_found", "ok", denied, denied],
            ...["object_not_found", "object_not_found", denied],
          ),
        input: ({ person, paymentId, transactionId }) => ({
          object_id: { paymentId, transactionId, accountId: person.accountId }[kind],
        }),
      },
    ]),
  ),
  "organizations.setup": {
    expected: () => everyone("setup_completed"),
    input: () => ({
      token: "none",
      organization_name: "X",
      email: "x@example.com",
      password: "a long enough passphrase",
    }),
  },
  "documents.openapi": { expected: () => everyone("ok"), input: () => ({}) },
};

let world: World;
let home: TestOrganization;
let foreign: TestOrganization;
const keys: Partial<Record<Caller, ApiKey>> = {};
const table = operations as Record<string, Record<string, Operation>>;

const operationOf = (cell: string): Operation => {
  const [domain = "", verb = ""] = cell.replace(/ \(.*/, "").split(".");
  const found = table[domain]?.[verb];
  if (!found) throw new Error(`No operation ${cell}`);
  return found;
};

beforeAll(async () => {
  world = await openWorld();
  home = await world.organization("Home");
  foreign = await world.organization("Foreign");
  keys.platform = await apiKey(world, home.id, [...scopes]);
  keys["platform without the scope"] = await apiKey(world, home.id, []);
  keys["foreign platform"] = await apiKey(world, foreign.id, [...scopes]);
});
afterAll(() => world.close());

/**
 * A member with an account, a session, a payment request and a payment. New for each call, because many operations end
 * the object that they act on.
 */
async function newFixture(): Promise<Fixture> {
  const person = await world.user(home.id);
  const request = { type: "product", amount: 500, currency: "EUR", account_id: person.accountId } as const;
  const requested = await world.call(operations.payments.create, person.actor, request);
  const paid = await world.call(operations.transactions.create, person.actor, {
    ...{ type: "payment", amount: 500, currency: "EUR" },
    account_id: person.accountId,
  });
  return { person, paymentId: requested.payment_id, transactionId: paid.transaction_id };
}

/** Opens a session of the person, with real tokens. */
async function openSession(person: TestUser): Promise<string> {
  await givePassword(world, person);
  return (await signInAs(world, person)).session_id;
}

async function outcomeOf(operation: Operation, caller: Caller, fixture: Fixture, input: unknown): Promise<Outcome> {
  const key = keys[caller];
  const request = callRequest(world.runtime, { bearer: key ? `Bearer ${key.token}` : null });
  const actors: Partial<Record<Caller, Actor>> = {
    owner: fixture.person.actor,
    "other member": home.other.actor,
    admin: home.admin.actor,
    "foreign admin": foreign.admin.actor,
    "foreign member": foreign.member.actor,
  };
  const actor = actors[caller];
  return actor ? outcomeAs(operation, actor, input) : outcome(() => perform(operation, input, request, world.runtime));
}

const outcomeAs = (operation: Operation, actor: Actor, input: unknown): Promise<Outcome> =>
  outcome(() => performAs(operation, input, actor, callRequest(world.runtime), world.runtime));

async function outcome(work: () => Promise<unknown>): Promise<Outcome> {
  try {
    await work();
    return "ok";
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
}

test("every operation has a row", () => {
  const all = Object.entries(table).flatMap(([domain, verbs]) => Object.keys(verbs).map((verb) => `${domain}.${verb}`));
  expect([...new Set(Object.keys(cells).map((cell) => cell.replace(/ \(.*/, "")))].sort()).toEqual(all.sort());
});

describe.each(Object.entries(cells))("%s", (name, cell) => {
  test("has the expected outcome for each caller", async () => {
    const seen: Partial<Record<Caller, Outcome>> = {};
    for (const caller of callers) {
      const fixture = await newFixture();
      seen[caller] = await outcomeOf(operationOf(name), caller, fixture, await cell.input(fixture));
    }
    expect(seen).toEqual(cell.expected());
  });
});

describe("an API key that is bound to one account", () => {
  /** The outcomes for a key bound to the object's account, and for one bound to another account of the organization. */
  const cellsOfBound: Record<string, [same: Outcome, other: Outcome]> = {
    "accounts.get": ["ok", "account_not_found"],
    "accounts.update": ["ok", "account_not_found"],
    "accounts.close": ["ok", "account_not_found"],
    "accounts.list": ["ok", "ok"],
    "accounts.create": [denied, denied],
    "accounts.create (for the owner)": [denied, denied],
    "users.list": [denied, denied],
    "users.create": [denied, denied],
    "users.create (admin)": [denied, denied],
    "users.remove": [denied, denied],
    "sessions.invalidate": ["ok", "session_not_found"],
    "payments.create": ["ok", "account_not_found"],
    "payments.get": ["ok", "payment_not_found"],
    "payments.cancel": ["ok", "payment_not_found"],
    "payments.refund (of a paid request)": ["ok", "payment_not_found"],
    "transactions.get": ["ok", "transaction_not_found"],
    "transactions.create (payment)": ["ok", "account_not_found"],
    "transactions.create (refund)": ["ok", "transaction_not_found"],
    "transactions.create (credit)": ["ok", "account_not_found"],
    "transactions.create (adjustment)": ["ok", "account_not_found"],
    "transactions.create (transfer)": ["ok", "account_not_found"],
  };

  test.each(Object.entries(cellsOfBound))("%s", async (name, expected) => {
    const seen: Outcome[] = [];
    for (const isSame of [true, false]) {
      const fixture = await newFixture();
      const accountId = isSame ? fixture.person.accountId : home.other.accountId;
      const key = await apiKey(world, home.id, [...scopes], { accountId });
      seen.push(await outcomeAs(operationOf(name), key.actor, (await cells[name]?.input(fixture)) ?? {}));
    }
    expect(seen).toEqual(expected);
  });
});

test("in live mode members record payments only if their organization allows it; admins and API keys always can", async () => {
  const organization = await world.organization("Live");
  const key = await apiKey(world, organization.id, [...scopes]);
  const { member, admin } = organization;
  const record = (actor: Actor) =>
    outcomeAs(operations.transactions.create, actor, { ...payment, account_id: member.accountId });
  const change = (settings: { mode?: "live"; membersRecordPayments?: boolean }) =>
    world.runtime.db.write((tx) =>
      tx.update(organizations).set(settings).where(eq(organizations.id, organization.id)).then(),
    );
  expect(await Promise.all([member.actor, admin.actor, key.actor].map(record))).toEqual(["ok", "ok", "ok"]);
  await change({ mode: "live" });
  expect(await Promise.all([member.actor, admin.actor, key.actor].map(record))).toEqual([denied, "ok", "ok"]);
  await change({ membersRecordPayments: true });
  expect(await record(member.actor)).toBe("ok");
});

describe("a list shows nothing beyond the caller's scope", () => {
  const ids = (page: unknown) =>
    (page as { data: Record<string, string>[] }).data.flatMap((item) => Object.values(item));

  test.each(["transactions.list", "payments.list", "sessions.list"])("%s", async (name) => {
    const fixture = await newFixture();
    const mine = [fixture.transactionId, fixture.paymentId, await openSession(fixture.person)];
    const shown = async (actor: Actor) => {
      const page = await performAs(operationOf(name), { limit: 100 }, actor, callRequest(world.runtime), world.runtime);
      return ids(page).some((id) => mine.includes(id));
    };
    expect(await shown(fixture.person.actor)).toBe(true);
    expect(await shown(home.other.actor)).toBe(false);
    expect(await shown(foreign.admin.actor)).toBe(false);
    expect(await shown(foreign.member.actor)).toBe(false);
  });
});
