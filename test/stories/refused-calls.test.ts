// Refused calls: an audit entry and a security log line for each, within limits, and never in place of the refusal.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Tx } from "@/db/client";
import { DatabaseUnavailable } from "@/db/errors";
import { auditEntries } from "@/db/tables";
import { deadJobs } from "@/server/domains/jobs/operations/dead";
import { createUser } from "@/server/domains/onboarding/operations/create-user";
import { writeCounts } from "@/server/domains/records/refused-calls";
import { login } from "@/server/domains/sessions/operations/login";
import { refreshSession } from "@/server/domains/sessions/operations/refresh";
import type { Actor, CallRequest } from "@/server/kit/context";
import { createLogger } from "@/server/process/log";
import type { Runtime } from "@/server/process/runtime";
import { apiKey } from "@/test/people";
import { performAs } from "@/test/perform-as";
import { bearer, callWith, givePassword, signInAs } from "@/test/signing-in";
import { callRequest, openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";

const minute = 60_000;

let world: World;
let org: TestOrganization;
/** A separate process, as far as logging and counting are concerned. */
let runtime: Runtime;
let lines: Record<string, unknown>[];
let ip: string;
let nextAddress = 0;

beforeAll(async () => {
  world = await openWorld({ LOGIN_FAILURES_PER_USER: "3" });
});
beforeEach(async () => {
  world.clock.advance(20 * minute);
  org = await world.organization();
  lines = [];
  const log = createLogger({ logLevel: "info" }, { write: (line) => void lines.push(JSON.parse(line)) });
  runtime = { ...world.runtime, log };
  ip = `203.0.113.${++nextAddress}`;
});
afterAll(() => world.close());

const call = (actor: Actor, request: Partial<CallRequest> = {}) =>
  performAs(deadJobs, {}, actor, callRequest(runtime, { ip, ...request }), runtime);
const securityLines = () => lines.filter(({ logger }) => logger === "security");
const entriesOf = (requestId: string) =>
  world.runtime.db.read.select().from(auditEntries).where(eq(auditEntries.requestId, requestId));
const entriesFrom = (address: string) =>
  world.runtime.db.read.select().from(auditEntries).where(eq(auditEntries.ip, address));

describe("a call without permission", () => {
  it("by a user leaves an audit entry and a security log line that say who, what and from where", async () => {
    expect(await refusalOf(call(org.member.actor, { requestId: "req_user" }))).toBe("insufficient_permissions");
    const who = { actorType: "user", actorId: org.member.id };
    expect(await entriesOf("req_user")).toEqual([
      {
        ...who,
        id: expect.any(String),
        organizationId: org.id,
        operation: "jobs.dead",
        targetId: null,
        detail: { outcome: "insufficient_permissions" },
        requestId: "req_user",
        ip,
        userAgent: "test",
        createdAt: world.clock.now(),
      },
    ]);
    expect(securityLines()).toEqual([
      expect.objectContaining({
        ...who,
        level: "warn",
        msg: "refused",
        operation: "jobs.dead",
        targetId: null,
        outcome: "insufficient_permissions",
        requestId: "req_user",
        ip,
      }),
    ]);
  });

  it("by an API key leaves the key's id", async () => {
    const { actor } = await apiKey(world, org.id, ["transactions:read"]);
    expect(await refusalOf(call(actor, { requestId: "req_key" }))).toBe("insufficient_permissions");
    const keyId = actor.type === "api_key" ? actor.keyId : "";
    expect(await entriesOf("req_key")).toMatchObject([
      { actorType: "api_key", actorId: keyId, organizationId: org.id },
    ]);
    expect(securityLines()).toMatchObject([{ actorType: "api_key", actorId: keyId }]);
  });

  it("is recorded even if it is refused while the operation runs, whose writes are rolled back", async () => {
    const { actor } = await apiKey(world, org.id, ["users:write"]);
    const request = callRequest(runtime, { ip, requestId: "req_role" });
    const input = { email: "new@example.com", password: "a good long passphrase", name: "New", role: "admin" };
    expect(await refusalOf(performAs(createUser, input, actor, request, runtime))).toBe("insufficient_permissions");
    expect(await entriesOf("req_role")).toMatchObject([
      { operation: "users.create", detail: { outcome: "insufficient_permissions" } },
    ]);
    expect(securityLines()).toHaveLength(1);
  });

  it("is refused even if the refusal cannot be recorded", async () => {
    const write = async () => {
      throw new DatabaseUnavailable(new Error("gone"));
    };
    runtime = { ...runtime, db: { ...runtime.db, write } };
    expect(await refusalOf(call(org.member.actor, { requestId: "req_lost" }))).toBe("insufficient_permissions");
    expect(await entriesOf("req_lost")).toEqual([]);
    expect(securityLines()).toHaveLength(1);
    expect(lines.at(-1)).toMatchObject({
      level: "error",
      msg: "a refusal could not be recorded",
      requestId: "req_lost",
    });
  });

  it("is only counted beyond ten per address and minute, in the log and in the audit log", async () => {
    for (let i = 0; i < 15; i++) await refusalOf(call(org.member.actor));
    expect(await entriesFrom(ip)).toHaveLength(10);
    expect(securityLines()).toHaveLength(10);
    const elsewhere = `198.51.100.${nextAddress}`;
    await refusalOf(call(org.member.actor, { ip: elsewhere }));
    expect(await entriesFrom(elsewhere)).toHaveLength(1);
    const begun = world.clock.now() - (world.clock.now() % minute);
    world.clock.advance(minute);
    await writeCounts(runtime);
    await writeCounts(runtime);
    const detail = { count: 5, minute: new Date(begun).toISOString() };
    const counted = (await entriesFrom(ip)).filter(({ operation }) => operation === "calls.refused");
    expect(counted).toMatchObject([{ actorType: "system", actorId: null, organizationId: null, detail }]);
    expect(securityLines().at(-1)).toMatchObject({ operation: "calls.refused", ip, ...detail });
    expect(securityLines()).toHaveLength(12);
  });
});

it("counts that could not be written are written once the database accepts writes again", async () => {
  const { db } = runtime;
  const write = async () => {
    throw new DatabaseUnavailable(new Error("gone"));
  };
  for (let i = 0; i < 15; i++) await refusalOf(call(org.member.actor));
  world.clock.advance(minute);
  runtime = { ...runtime, db: { ...db, write } };
  await expect(writeCounts(runtime)).rejects.toThrow(DatabaseUnavailable);
  runtime = { ...runtime, db };
  await writeCounts(runtime);
  const counted = (await entriesFrom(ip)).filter(({ operation }) => operation === "calls.refused");
  expect(counted).toMatchObject([{ detail: { count: 5 } }]);
});

describe("a refused sign-in", () => {
  const tryLogin = (password: string, requestId: string) =>
    callWith({ ...world, runtime }, login, { ip, requestId }, { email: org.member.email, password });

  it("logs a wrong password and a throttled attempt without the typed password", async () => {
    await givePassword(world, org.member);
    for (let i = 1; i <= 3; i++) {
      expect(await refusalOf(tryLogin("typed by mistake", `req_wrong${i}`))).toBe("invalid_credentials");
    }
    expect(await refusalOf(tryLogin("typed by mistake", "req_throttled"))).toBe("rate_limited");
    const entries = await entriesFrom(ip);
    const outcomes = entries.map(({ detail }) => detail.outcome);
    expect(outcomes).toEqual([...Array(3).fill("invalid_credentials"), "rate_limited"]);
    expect(securityLines().map(({ outcome, requestId }) => [outcome, requestId])).toEqual(
      entries.map(({ detail, requestId }) => [detail.outcome, requestId]),
    );
    expect(JSON.stringify([entries, lines])).not.toContain("typed by mistake");
    expect(JSON.stringify([entries, lines])).not.toContain(org.member.email);
  });
});

describe("a transaction that runs again after a conflict", () => {
  it("counts its refusal once", async () => {
    const { db } = runtime;
    const twice: typeof db.write = async (work) => {
      const lost = new Error("undone");
      await db
        .write(async (tx) => {
          await work(tx);
          throw lost;
        })
        .catch((error: unknown) => expect(error).toBe(lost));
      return db.write(work);
    };
    runtime = { ...runtime, db: { ...db, write: twice } };
    for (let i = 0; i < 8; i++) {
      const wrong = { email: `nobody${i}@example.com`, password: "typed by mistake" };
      expect(await refusalOf(callWith({ ...world, runtime }, login, { ip }, wrong))).toBe("invalid_credentials");
    }
    expect(await entriesFrom(ip)).toHaveLength(8);
    expect(securityLines()).toHaveLength(8);
  });
});

describe("a refresh token that is reused", () => {
  const refresh = (token: string, requestId: string) =>
    callWith({ ...world, runtime }, refreshSession, { ...bearer(token), ip, requestId }, {});

  it("has an audit entry and one line of the security log, without the token", async () => {
    const pair = await signInAs(world, org.member);
    world.clock.advance(minute);
    await refresh(pair.refresh_token, "req_first");
    world.clock.advance(minute);
    expect(await refusalOf(refresh(pair.refresh_token, "req_reuse"))).toBe("refresh_token_invalid");
    expect(await entriesOf("req_reuse")).toMatchObject([
      {
        operation: "sessions.refresh",
        actorType: "user",
        actorId: org.member.id,
        targetId: pair.session_id,
        organizationId: org.id,
        ip,
        detail: { outcome: "reuse" },
      },
    ]);
    expect(securityLines()).toEqual([
      expect.objectContaining({
        level: "warn",
        msg: "a spent refresh token was used; its session has ended",
        operation: "sessions.refresh",
        actorId: org.member.id,
        targetId: pair.session_id,
        outcome: "reuse",
        requestId: "req_reuse",
        ip,
      }),
    ]);
    expect(JSON.stringify(lines)).not.toContain(pair.refresh_token);
  });

  it("has one line, after the commit, even if its transaction runs again", async () => {
    const pair = await signInAs(world, org.member);
    world.clock.advance(minute);
    await refresh(pair.refresh_token, "req_exchange");
    world.clock.advance(minute);
    const { db } = runtime;
    const undone = async (work: (tx: Tx) => Promise<unknown>) => {
      const lost = new DatabaseUnavailable(new Error("undone"));
      await db
        .write(async (tx) => {
          await work(tx);
          throw lost;
        })
        .catch(() => {});
      return lost;
    };
    const never: typeof db.write = async (work) => {
      throw await undone(work);
    };
    runtime = { ...runtime, db: { ...db, write: never } };
    expect(await refusalOf(refresh(pair.refresh_token, "req_undone"))).toBe("unavailable");
    expect(securityLines()).toEqual([]);
    const twice: typeof db.write = async (work) => {
      await undone(work);
      return db.write(work);
    };
    runtime = { ...runtime, db: { ...db, write: twice } };
    expect(await refusalOf(refresh(pair.refresh_token, "req_again"))).toBe("refresh_token_invalid");
    expect(securityLines()).toMatchObject([{ outcome: "reuse", requestId: "req_again" }]);
    expect(await entriesOf("req_again")).toHaveLength(1);
  });

  it("raises no alarm right after the exchange, as when two tabs race", async () => {
    const pair = await signInAs(world, org.member);
    world.clock.advance(minute);
    await refresh(pair.refresh_token, "req_tab_one");
    world.clock.advance(1_000);
    expect(await refusalOf(refresh(pair.refresh_token, "req_tab_two"))).toBe("refresh_token_invalid");
    expect(await entriesOf("req_tab_two")).toMatchObject([{ detail: { outcome: "slip" } }]);
    expect(securityLines()).toMatchObject([{ msg: "refused", outcome: "slip", requestId: "req_tab_two", ip }]);
  });
});
