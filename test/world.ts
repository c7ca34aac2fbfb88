// A world for tests: a real database, a clock that the test moves, organizations with an admin, members and accounts.
import type * as z from "zod";
import type { Tx } from "@/db/client";
import type { UserRole } from "@/db/schema/values";
import { accounts, organizations, users } from "@/db/tables";
import { insertClock } from "@/server/domains/organizations/clock-store";
import type { Actor, CallRequest } from "@/server/kit/context";
import { Failure } from "@/server/kit/errors";
import { type IdPrefix, newId } from "@/server/kit/ids";
import type { Operation } from "@/server/kit/operation";
import { searchTextOf } from "@/server/kit/words";
import type { Clock, TimeSources } from "@/server/process/clock";
import { type Env, parseEnv } from "@/server/process/env";
import { openRuntime, type Runtime } from "@/server/process/runtime";
import { performAs } from "@/test/perform-as";
import { createTestDatabase } from "./database";

interface TestClock {
  now(): number;
  advance(milliseconds: number): void;
}

/** A clock that moves only when a test moves it. */
function testClock(start = Date.UTC(2026, 10, 20, 12)): TestClock {
  let at = start;
  return {
    now: () => at,
    advance(milliseconds) {
      at += milliseconds;
    },
  };
}

export interface TestUser {
  id: string;
  accountId: string;
  email: string;
  actor: Actor;
}

export interface TestOrganization {
  id: string;
  admin: TestUser;
  member: TestUser;
  other: TestUser;
}

export type World = Awaited<ReturnType<typeof openWorld>>;

/** Opens a world; close it in `afterAll`. */
export async function openWorld(settings: Record<string, string> = {}) {
  const database = await createTestDatabase({ migrated: true });
  const clock = testClock();
  const env: Env = parseEnv({
    DATABASE_URL: database.url,
    SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
    LOG_LEVEL: "silent",
    RATE_LIMIT: "0",
    LOGINS_PER_USER: "100000",
    PASSWORDS_PER_IP: "1000",
    ...settings,
  });
  const runtime = await openRuntime(env, clock);
  return {
    runtime,
    clock,
    database,
    id: (prefix: IdPrefix) => newId(prefix, clock.now()),
    organization: (name = "Acme") => createOrganization(runtime, name),
    /** Creates another user with an account. */
    user: (organizationId: string, role: UserRole = "member") => createUser(runtime, organizationId, role),
    call: callOn(runtime),
    async close() {
      await runtime.close();
      await database.drop();
    },
  };
}

/** Makes this process's route handlers use this world, until another world is served. */
export function serve(world: World): void {
  Reflect.set(globalThis, Symbol.for("quittance.runtime"), Promise.resolve(world.runtime));
}

/**
 * A caller with an API session, who has just signed in. Tests move the clock far; those of the age of a sign-in use
 * real tokens or dashboard sessions.
 */
const justSignedIn = (actor: Actor, now: number): Actor =>
  actor.type === "user" && actor.sessionKind === "api" ? { ...actor, authenticatedAt: now } : actor;

/** Calls operations of the runtime. */
export const callOn =
  (runtime: Runtime) =>
  <I extends z.ZodType, O extends z.ZodType>(
    operation: Operation<I, O>,
    actor: Actor,
    input: z.input<I>,
    request: Partial<CallRequest> = {},
  ) =>
    performAs(
      operation,
      input,
      justSignedIn(actor, runtime.clock.now()),
      callRequest(runtime, request),
      runtime,
    ) as Promise<z.output<O>>;

/**
 * The same world in another process, which shares only the database, reached at `databaseUrl`. `clock` is its clock, or
 * the time sources of its machine. Close it before the world.
 */
export async function anotherProcess(
  world: World,
  { databaseUrl = world.database.url, clock = world.clock }: { databaseUrl?: string; clock?: Clock | TimeSources } = {},
): Promise<World> {
  const runtime = await openRuntime({ ...world.runtime.env, databaseUrl }, clock);
  return { ...openedWith(world, runtime), close: () => runtime.close() };
}

/** The same world, in which calls use another runtime. */
export const openedWith = (world: World, runtime: Runtime): World => ({ ...world, runtime, call: callOn(runtime) });

/** The transport's part of a call, for tests. */
export function callRequest(runtime: Runtime, given: Partial<CallRequest> = {}): CallRequest {
  return {
    requestId: newId("req", runtime.clock.now()),
    bearer: null,
    cookie: null,
    device: null,
    ip: "203.0.113.7",
    userAgent: "test",
    idempotencyKey: null,
    ifMatch: null,
    ifNoneMatch: null,
    receivedAt: runtime.clock.now(),
    signal: new AbortController().signal,
    answerHeaders: {},
    setCookie: () => undefined,
    ...given,
  };
}

/** The code with which a call was refused. Throws if it was not. */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
  throw new Error("The call was not refused.");
}

async function createOrganization(runtime: Runtime, name: string): Promise<TestOrganization> {
  const now = runtime.clock.now();
  const id = newId("org", now);
  const people = (["admin", "member", "member"] as const).map((role) => newUser(now, id, role));
  await runtime.db.write(async (tx) => {
    await tx.insert(organizations).values({ id, name, mode: "sandbox", createdAt: now });
    await insertClock(tx, id);
    await insertUsers(tx, people);
  });
  const [admin, member, other] = people.map(({ user }) => user) as [TestUser, TestUser, TestUser];
  return { id, admin, member, other };
}

async function createUser(runtime: Runtime, organizationId: string, role: UserRole): Promise<TestUser> {
  const person = newUser(runtime.clock.now(), organizationId, role);
  await runtime.db.write((tx) => insertUsers(tx, [person]));
  return person.user;
}

/** A user with an account, and their rows. */
type NewUser = ReturnType<typeof newUser>;

async function insertUsers(tx: Tx, people: readonly NewUser[]): Promise<void> {
  await tx.insert(users).values(people.map(({ userRow }) => userRow));
  await tx.insert(accounts).values(people.map(({ accountRow }) => accountRow));
}

function newUser(now: number, organizationId: string, role: UserRole) {
  const id = newId("usr", now);
  const accountId = newId("acct", now);
  const email = `${id}@example.com`;
  const userRow = {
    id,
    organizationId,
    accountId,
    email,
    emailKey: email,
    emailVerifiedAt: now,
    searchText: searchTextOf(`User ${id.slice(-4)}`, email),
    name: `User ${id.slice(-4)}`,
    role,
    status: "active" as const,
    createdAt: now,
  };
  const preferences = {
    default_currency: null,
    locale: null,
    timezone: null,
    statement_descriptor: null,
    reminder_hour: null,
    notifications: {},
    branding: { color: null, logo_url: null },
  };
  const accountRow = {
    id: accountId,
    organizationId,
    ownerUserId: id,
    accountType: "individual" as const,
    email,
    emailKey: email,
    searchText: searchTextOf(`Account ${id.slice(-4)}`, email),
    name: `Account ${id.slice(-4)}`,
    preferences,
    metadata: {},
    status: "open" as const,
    createdAt: now,
    updatedAt: now,
  };
  const actor: Actor = {
    type: "user",
    userId: id,
    organizationId,
    role,
    sessionId: newId("ses", now),
    sessionKind: "api",
    authenticatedAt: now,
  };
  const user: TestUser = { id, accountId, email, actor };
  return { user, userRow, accountRow };
}
