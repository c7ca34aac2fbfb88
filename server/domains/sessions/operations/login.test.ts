// Signing in: what the correct password opens, and that a wrong one reveals and changes nothing.
import { eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { accounts, auditEntries, sessions, sessionTokens, tables, throttles, users } from "@/db/tables";
import { rules } from "@/server/access/rules";
import { lockUser } from "@/server/domains/users/store";
import { addressBucketOf } from "@/server/fairness/throttle";
import type { CallRequest } from "@/server/kit/context";
import { Failure } from "@/server/kit/errors";
import { operation, saga } from "@/server/kit/operation";
import { bearer, callWith, givePassword, password, signInAs } from "@/test/signing-in";
import { callRequest, openWorld, refusalOf, type TestOrganization, type TestUser, type World } from "@/test/world";
import { authenticate } from "../authenticate";
import { admit, countAttempt, verifyCredentials } from "../credentials";
import { openApiSession } from "../open";
import { loginInput, signOutOutput } from "../schema";
import { login } from "./login";
import { refreshSession } from "./refresh";

const minute = 60_000;
const day = 24 * 60 * minute;

let world: World;
let org: TestOrganization;
let nextAddress = 0;

/** Each test calls from its own address, so that no test uses up another's limit. */
const from = (): Partial<CallRequest> => ({ ip: `198.51.100.${nextAddress % 250}` });
const tryLogin = (email: string, given: string, request: Partial<CallRequest> = from()) =>
  callWith(world, login, request, { email, password: given });
const sessionsOf = (user: TestUser) =>
  world.runtime.db.read.select().from(sessions).where(eq(sessions.userId, user.id));
const failuresSince = async (at: number) => {
  const rows = await world.runtime.db.read
    .select({ detail: auditEntries.detail })
    .from(auditEntries)
    .where(eq(auditEntries.createdAt, at));
  return rows.filter(({ detail }) => detail.outcome === "invalid_credentials").length;
};

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  nextAddress++;
  world.clock.advance(20 * minute);
  org = await world.organization();
  await givePassword(world, org.member);
});

describe("200", () => {
  it("opens a session and returns a token pair with its expiries", async () => {
    const answer = await callWith(
      world,
      login,
      { ...from(), userAgent: "curl" },
      {
        email: org.member.email,
        password,
        device_id: "phone",
        client_version: "1.0",
      },
    );
    const now = world.clock.now();
    expect(answer.access_token).toMatch(/^qtat_[0-9A-Za-z]{49}$/);
    expect(answer.refresh_token).toMatch(/^qtrt_[0-9A-Za-z]{49}$/);
    expect(answer.session_id).toMatch(/^ses_[0-9a-z]{26}$/);
    expect(Date.parse(answer.expires_at)).toBe(now + 15 * minute);
    expect(Date.parse(answer.refresh_token_expires_at)).toBe(now + 30 * day);
    const [row] = await sessionsOf(org.member);
    expect(row).toMatchObject({ deviceId: "phone", clientVersion: "1.0", userAgent: "curl", kind: "api" });
    const [user] = await world.runtime.db.read.select().from(users).where(eq(users.id, org.member.id));
    expect(user?.lastLoginAt).toBe(now);
  });

  it("accepts the address in any spelling, ignores unknown fields, and opens a new session each time", async () => {
    const first = await tryLogin(org.member.email.toUpperCase(), password);
    const more = { email: org.member.email, password, remember_me: true };
    const second = await callWith(world, login, { ...from(), idempotencyKey: "one" }, more);
    const third = await callWith(world, login, { ...from(), idempotencyKey: "one" }, more);
    expect(new Set([first, second, third].map(({ session_id }) => session_id)).size).toBe(3);
  });

  it("signs in an admin without an open account", async () => {
    await givePassword(world, org.admin);
    await closeAccount(org.admin);
    expect((await tryLogin(org.admin.email, password)).session_id).toMatch(/^ses_/);
  });

  it("ends the oldest session when the hundred-and-first opens", async () => {
    const first = await tryLogin(org.member.email, password);
    for (let i = 1; i < 100; i++) {
      world.clock.advance(1);
      await callWith(world, openUnasked(org.member.id), {}, {});
    }
    expect(await isLive(first.access_token)).toBe(true);
    world.clock.advance(1);
    await tryLogin(org.member.email, password);
    expect(await isLive(first.access_token)).toBe(false);
    const rows = await sessionsOf(org.member);
    expect(rows.filter(({ status }) => status === "active")).toHaveLength(100);
    expect(rows.filter(({ status }) => status === "ended")).toMatchObject([
      { id: first.session_id, endReason: "session_limit", revokedTokens: 2 },
    ]);
  });

  it("does not count expired sessions", async () => {
    for (let i = 0; i < 3; i++) await tryLogin(org.member.email, password);
    world.clock.advance(90 * day);
    await tryLogin(org.member.email, password);
    expect((await sessionsOf(org.member)).every(({ status }) => status === "active")).toBe(true);
  });
});

describe("400", () => {
  it("the same invalid_credentials for a wrong password and an unknown, removed or passwordless user", async () => {
    await world.runtime.db.write(async (tx) => {
      const gone = { status: "removed", emailKey: null, passwordHash: null } as const;
      await tx.update(users).set(gone).where(eq(users.id, org.other.id));
    });
    const tries: [string, string][] = [
      [org.member.email, "wrong"],
      [org.member.email, `${password} `],
      [org.member.email, password.toUpperCase()],
      ["nobody@example.com", password],
      [org.other.email, password],
      [org.admin.email, password],
    ];
    const answers = [];
    for (const [email, given] of tries) {
      const error = await tryLogin(email, given).catch((caught: unknown) => caught);
      answers.push(error instanceof Failure ? { code: error.code, status: error.status, text: error.message } : error);
    }
    const one = { code: "invalid_credentials", status: 400, text: "The e-mail address or the password is wrong." };
    expect(answers).toEqual(tries.map(() => one));
    expect(await failuresSince(world.clock.now())).toBe(tries.length);
    expect(await sessionsOf(org.member)).toEqual([]);
  });

  it("computes a hash for an unknown user too, as for a wrong password", async () => {
    // Compare the fastest of several interleaved attempts: load slows some, but none is as fast as without a hash.
    const fastest = { known: Number.POSITIVE_INFINITY, unknown: Number.POSITIVE_INFINITY };
    for (let i = 0; i < 9; i++) {
      for (const who of ["known", "unknown"] as const) {
        const email = who === "known" ? org.member.email : "nobody@example.com";
        const startedAt = performance.now();
        await refusalOf(tryLogin(email, "wrong"));
        fastest[who] = Math.min(fastest[who], performance.now() - startedAt);
      }
    }
    expect(fastest.unknown).toBeGreaterThan(fastest.known / 3);
    expect(fastest.known).toBeGreaterThan(fastest.unknown / 3);
  });

  it("account_closed for a member without an open account, only with the correct password", async () => {
    await closeAccount(org.member);
    expect(await refusalOf(tryLogin(org.member.email, "wrong"))).toBe("invalid_credentials");
    expect(await refusalOf(tryLogin(org.member.email, password))).toBe("account_closed");
    expect(await sessionsOf(org.member)).toEqual([]);
    for (let i = 0; i < 20; i++) expect(await refusalOf(tryLogin(org.member.email, password))).toBe("account_closed");
  });

  it("invalid_request names the field that cannot be a credential", async () => {
    const inputs: [unknown, string][] = [
      [{}, "email"],
      [{ email: "ada@example.com" }, "password"],
      [{ email: "not an address", password }, "email"],
      [{ email: "ada@example.com", password: 12345678 }, "password"],
      [{ email: "ada@example.com", password: "x".repeat(1025) }, "password"],
      [{ email: ["ada@example.com"], password }, "email"],
      [{ email: "ada@example.com", password, otp: 123456 }, "otp"],
      [{ email: "ada@example.com", password, device_id: "x".repeat(201) }, "device_id"],
      [{ email: "ada@example.com", password, client_version: 1 }, "client_version"],
    ];
    for (const [input, field] of inputs) {
      const call = callWith(world, login, from(), input as { email: string; password: string });
      const error = await call.catch((caught: unknown) => caught);
      expect(error).toMatchObject({ code: "invalid_request", status: 400 });
      expect(error instanceof Error && error.message).toContain(`${field}:`);
    }
  });

  it("invalid_credentials if the password was changed or the user removed while it was being verified", async () => {
    const changes = [{ passwordHash: "$argon2id$other" }, { status: "removed", emailKey: null } as const];
    for (const change of changes) {
      await givePassword(world, org.member);
      const call = callWith(world, slowLogin(org.member.id, change), from(), { email: org.member.email, password });
      expect(await refusalOf(call)).toBe("invalid_credentials");
    }
    expect(await sessionsOf(org.member)).toEqual([]);
  });
});

describe("503", () => {
  it("when too many passwords wait to be verified; those attempts are not counted", async () => {
    // From two addresses, since one has too few places to fill the queue.
    const addresses = [from().ip ?? "", "192.0.2.1"];
    const tries = Array.from({ length: 90 }, (_, i) =>
      refusalOf(tryLogin(`crowd${i}@example.com`, `a guess of the crowd: ${i}`, { ip: addresses[i % 2] ?? null })),
    );
    const codes = await Promise.all(tries);
    const busy = codes.filter((code) => code === "unavailable").length;
    expect(busy).toBeGreaterThan(0);
    expect(codes.filter((code) => code === "invalid_credentials")).toHaveLength(90 - busy);
    const buckets = addresses.map((address) => addressBucketOf("login_address", address));
    const rows = await world.runtime.db.read.select().from(throttles).where(inArray(throttles.bucket, buckets));
    expect(rows.reduce((sum, row) => sum + row.count, 0)).toBe(90 - busy);
  });
});

describe("the database", () => {
  it("contains no token and no password, only hashes", async () => {
    const first = await signInAs(world, org.member);
    const second = await callWith(world, refreshSession, { ...bearer(first.refresh_token), idempotencyKey: "one" }, {});
    await refusalOf(tryLogin(org.member.email, "a wrong password"));
    const secrets = [first, second].flatMap(({ access_token, refresh_token }) => [access_token, refresh_token]);
    for (const table of Object.values(tables)) {
      const rows = JSON.stringify(await world.runtime.db.read.select().from(table));
      for (const secret of [...secrets, password, "a wrong password"]) expect(rows.includes(secret)).toBe(false);
      for (const secret of secrets) expect(rows.includes(secret.slice(5, 40))).toBe(false);
    }
    const rows = await world.runtime.db.read
      .select()
      .from(sessionTokens)
      .where(eq(sessionTokens.sessionId, first.session_id));
    expect(rows).toHaveLength(4);
  });
});

const isLive = async (token: string) =>
  "actor" in (await authenticate(world.runtime, callRequest(world.runtime, bearer(token)), world.clock.now()));

async function closeAccount(user: TestUser) {
  await world.runtime.db.write(async (tx) => {
    const closed = { status: "closed", closedAt: world.clock.now() } as const;
    await tx.update(accounts).set(closed).where(eq(accounts.id, user.accountId));
  });
}

/** A call that names no device. */
const nowhere = { kind: "api", deviceId: null } as const;

/** Signs in, but changes the user's row after the password was verified and before the session opens. */
const slowLogin = (userId: string, change: Partial<typeof users.$inferInsert>) =>
  saga({
    id: "test.slowLogin",
    summary: "Signs in slowly",
    access: rules["sessions.login"],
    input: loginInput,
    output: signOutOutput,
    errors: { invalid_credentials: 400, mfa_required: 400, invalid_otp: 400, account_closed: 400 },
    begin: ({ ctx, input }) => countAttempt(ctx, input, nowhere),
    async perform({ ctx, input, intent }) {
      const verified = await verifyCredentials(ctx, input, intent);
      await world.runtime.db.write(async (tx) => {
        await tx.update(users).set(change).where(eq(users.id, userId));
      });
      return verified;
    },
    async finish({ ctx, input, intent, outcome, failAfterCommit }) {
      const tried = { email: input.email, otp: null, counted: intent, verified: outcome };
      const user = await admit(ctx, tried, nowhere, failAfterCommit);
      await openApiSession(ctx, user, { deviceId: null, clientVersion: null });
      ctx.audit({ target: user.id });
      return { success: true };
    },
  });

/** Opens a session for a user without checking a password. */
const openUnasked = (userId: string) =>
  operation({
    id: "test.openUnasked",
    summary: "Opens a session",
    access: rules["sessions.login"],
    effect: "write",
    input: z.strictObject({}),
    output: signOutOutput,
    errors: {},
    async run({ ctx }) {
      const user = await lockUser(ctx.db, userId);
      if (!user) throw new Error("No such user.");
      await openApiSession(ctx, user, { deviceId: null, clientVersion: null });
      ctx.audit({ target: userId });
      return { success: true };
    },
  });
