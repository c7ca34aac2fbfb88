// The pipeline's own rules, with small operations: refusals, idempotency keys, sagas, records.
import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { DatabaseUnavailable } from "@/db/errors";
import { apiKeys, auditEntries, events, organizations, users } from "@/db/tables";
import { rules } from "@/server/access/rules";
import { removeUser } from "@/server/domains/closing/operations/remove-user";
import { invalidateSession } from "@/server/domains/sessions/operations/invalidate";
import type { Actor } from "@/server/kit/context";
import { operation, saga } from "@/server/kit/operation";
import { mintToken } from "@/server/secrets/secret";
import { endKeyLeases } from "@/test/key-leases";
import { apiKey, callWith, newPerson } from "@/test/people";
import { anotherProcess, callRequest, openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { perform } from "./perform";

let world: World;
let org: TestOrganization;
let performed = 0;
let crash = false;
let crashAtEnd = false;
let gate: Promise<void> | undefined;

const rename = operation({
  id: "test.rename",
  summary: "Renames the organization",
  access: rules["accounts.update"],
  effect: "write",
  input: z.strictObject({
    name: z.string().max(20),
    refuse: z.boolean().default(false),
    keep: z.boolean().default(false),
    labels: z.record(z.string(), z.string()).optional(),
  }),
  output: z.strictObject({ name: z.string(), run: z.string() }),
  errors: { account_closed: 400, account_not_found: 400 },
  async run({ ctx, input, fail, failAfterCommit }) {
    await ctx.db.update(organizations).set({ name: input.name }).where(eq(organizations.id, ctx.scope.organizationId));
    ctx.audit({ target: ctx.scope.organizationId });
    ctx.emit({ type: "test.renamed", object: ctx.scope.organizationId, data: { name: input.name } });
    if (input.refuse) fail("account_closed");
    if (input.keep) failAfterCommit("account_not_found");
    return { name: input.name, run: ctx.id("evt") };
  },
});

const silent = operation({
  id: "test.silent",
  summary: "Writes without an audit entry",
  access: rules["accounts.update"],
  effect: "write",
  input: z.strictObject({}),
  output: z.strictObject({}),
  errors: {},
  async run({ ctx }) {
    await ctx.db.update(organizations).set({ name: "silent" }).where(eq(organizations.id, ctx.scope.organizationId));
    return {};
  },
});

const leaky = operation({
  id: "test.leaky",
  summary: "Returns more than it declares",
  access: rules["accounts.read"],
  effect: "read",
  input: z.strictObject({}),
  output: z.strictObject({ id: z.string() }),
  errors: {},
  run: async () => ({ id: "a", secret: "b" }),
});

const distant = saga({
  id: "test.distant",
  summary: "Does remote work",
  access: rules["accounts.update"],
  input: z.strictObject({ name: z.string() }),
  output: z.strictObject({ name: z.string(), outcome: z.string() }),
  errors: { payment_processing: 400 },
  async begin({ ctx, input }) {
    ctx.audit({ target: null, detail: { step: "begin" } });
    return input.name === "at once"
      ? { answer: { name: input.name, outcome: "none" } }
      : { intent: { key: ctx.id("txn") } };
  },
  async perform({ intent, fail }) {
    performed++;
    await gate;
    if (crash) fail("payment_processing");
    return `done ${intent.key}`;
  },
  async finish({ ctx, input, outcome }) {
    ctx.audit({ target: null, detail: { step: "finish" } });
    if (crashAtEnd) throw new Error("The last step failed.");
    return { name: input.name, outcome };
  },
});

const nameOf = async (id: string) =>
  (await world.runtime.db.read.select().from(organizations).where(eq(organizations.id, id)))[0]?.name;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

describe("a write", () => {
  beforeAll(async () => {
    org = await world.organization("Before");
  });

  test("commits its effect, an audit entry and a numbered event together", async () => {
    await world.call(rename, org.admin.actor, { name: "One" });
    await world.call(rename, org.admin.actor, { name: "Two" });
    expect(await nameOf(org.id)).toBe("Two");
    const rows = await world.runtime.db.read.select().from(events).where(eq(events.objectId, org.id));
    expect(rows.map((row) => row.sequence).sort()).toEqual([1, 2]);
    const audits = await world.runtime.db.read.select().from(auditEntries).where(eq(auditEntries.targetId, org.id));
    expect(audits).toHaveLength(2);
    expect(audits[0]).toMatchObject({ operation: "test.rename", actorId: org.admin.id, organizationId: org.id });
  });

  test("rolls everything back when it refuses", async () => {
    expect(await refusalOf(world.call(rename, org.admin.actor, { name: "Three", refuse: true }))).toBe(
      "account_closed",
    );
    expect(await nameOf(org.id)).toBe("Two");
  });

  test("keeps what it wrote if it refuses after commit", async () => {
    expect(await refusalOf(world.call(rename, org.admin.actor, { name: "Four", keep: true }))).toBe(
      "account_not_found",
    );
    expect(await nameOf(org.id)).toBe("Four");
  });

  test("does not commit without an audit entry", async () => {
    await expect(world.call(silent, org.admin.actor, {})).rejects.toThrow("without an audit entry");
    expect(await nameOf(org.id)).toBe("Four");
  });

  test("is refused if the access rule does not name the caller's role", async () => {
    expect(await refusalOf(world.call(rename, { type: "anonymous" }, { name: "x" }))).toBe("insufficient_permissions");
  });

  test("names every invalid field", async () => {
    const call = world.call(rename, org.admin.actor, { name: 1, odd: true } as never);
    await expect(call).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(/name: .*odd: unknown field/),
    });
  });
});

test("a field name that looks like a driver error is still a refusal", async () => {
  for (const field of ["Connection terminated", "Query read timeout", "timeout exceeded when trying to connect"]) {
    const call = world.call(rename, org.admin.actor, { name: "Five", [field]: true } as never);
    expect(await refusalOf(call)).toBe("invalid_request");
  }
});

test("an undeclared field in the output is an internal error, not a leak", async () => {
  await expect(world.call(leaky, org.admin.actor, {})).rejects.toThrow(/secret/);
});

describe("an Idempotency-Key", () => {
  const keyed = (key: string) => ({ idempotencyKey: key, answerHeaders: {} as Record<string, string> });

  beforeAll(async () => {
    org = await world.organization();
  });

  test("returns the same answer again, without the effect, and marks it", async () => {
    const first = await world.call(rename, org.admin.actor, { name: "Once" }, keyed("a"));
    await world.call(rename, org.admin.actor, { name: "Between" });
    const again = keyed("a");
    expect(await world.call(rename, org.admin.actor, { name: "Once" }, again)).toEqual(first);
    expect(again.answerHeaders["Idempotent-Replayed"]).toBe("true");
    expect(await nameOf(org.id)).toBe("Between");
  });

  test("ignores the order of fields", async () => {
    const first = await world.call(rename, org.admin.actor, { name: "L", labels: { a: "1", b: "2" } }, keyed("labels"));
    const again = { labels: { b: "2", a: "1" }, name: "L" };
    expect(await world.call(rename, org.admin.actor, again, keyed("labels"))).toEqual(first);
    const other = world.call(rename, org.admin.actor, { name: "L", labels: { a: "2", b: "1" } }, keyed("labels"));
    expect(await refusalOf(other)).toBe("idempotency_key_reused");
  });

  test("is refused with a different request", async () => {
    const call = world.call(rename, org.admin.actor, { name: "Other" }, keyed("a"));
    expect(await refusalOf(call)).toBe("idempotency_key_reused");
  });

  test("belongs to its caller", async () => {
    const first = await world.call(rename, org.admin.actor, { name: "A" }, keyed("b"));
    const other = await world.call(rename, org.member.actor, { name: "A" }, keyed("b"));
    expect(other.run).not.toBe(first.run);
  });

  test("stores a refusal and rolls back its effect", async () => {
    const before = await nameOf(org.id);
    expect(await refusalOf(world.call(rename, org.admin.actor, { name: "C", refuse: true }, keyed("c")))).toBe(
      "account_closed",
    );
    const again = keyed("c");
    expect(await refusalOf(world.call(rename, org.admin.actor, { name: "C", refuse: true }, again))).toBe(
      "account_closed",
    );
    expect(again.answerHeaders["Idempotent-Replayed"]).toBe("true");
    expect(await nameOf(org.id)).toBe(before);
  });

  test("does not store the answer to a faulty request", async () => {
    expect(await refusalOf(world.call(rename, org.admin.actor, { name: 1 } as never, keyed("d")))).toBe(
      "invalid_request",
    );
    await world.call(rename, org.admin.actor, { name: "Mended" }, keyed("d"));
  });

  test("can be used again after 30 days", async () => {
    const first = await world.call(rename, org.admin.actor, { name: "E" }, keyed("e"));
    world.clock.advance(30 * 86_400_000 + 1);
    expect((await world.call(rename, org.admin.actor, { name: "E" }, keyed("e"))).run).not.toBe(first.run);
  });

  test("has one effect under 50 concurrent requests", async () => {
    const calls = Array.from({ length: 50 }, () => world.call(rename, org.admin.actor, { name: "F" }, keyed("f")));
    const settled = await Promise.allSettled(calls);
    const answers = settled.flatMap((result) => (result.status === "fulfilled" ? [result.value.run] : []));
    const codes = settled.flatMap((result) => (result.status === "rejected" ? [result.reason.code] : []));
    expect(new Set(answers).size).toBe(1);
    expect(new Set([...codes, "idempotency_key_in_use"])).toEqual(new Set(["idempotency_key_in_use"]));
  });
});

describe("a saga", () => {
  beforeAll(async () => {
    org = await world.organization();
  });

  test("answers at once or after its remote part", async () => {
    expect(await world.call(distant, org.admin.actor, { name: "at once" })).toMatchObject({ outcome: "none" });
    expect((await world.call(distant, org.admin.actor, { name: "x" })).outcome).toMatch(/^done txn_/);
  });

  test("resumes with the same intent after its remote part failed", async () => {
    const request = { idempotencyKey: "saga" };
    crash = true;
    expect(await refusalOf(world.call(distant, org.admin.actor, { name: "y" }, request))).toBe("payment_processing");
    crash = false;
    const before = performed;
    const done = await world.call(distant, org.admin.actor, { name: "y" }, request);
    expect(performed).toBe(before + 1);
    expect(await world.call(distant, org.admin.actor, { name: "y" }, request)).toEqual(done);
    expect(performed).toBe(before + 1);
  });

  test("resumes at once after its last step failed", async () => {
    const request = { idempotencyKey: "saga that fails at its end" };
    crashAtEnd = true;
    const call = () => world.call(distant, org.admin.actor, { name: "z" }, request);
    await expect(call()).rejects.toThrow("last step failed");
    await expect(call()).rejects.toThrow("last step failed");
    crashAtEnd = false;
    const done = await call();
    expect(done.outcome).toMatch(/^done txn_/);
    expect(await call()).toEqual(done);
  });

  test("gives its last step the current time, however long the remote part took", async () => {
    let open = () => {};
    gate = new Promise((resolve) => {
      open = resolve;
    });
    const request = callRequest(world.runtime);
    const begunAt = world.clock.now();
    const before = performed;
    const answer = world.call(distant, org.admin.actor, { name: "slow" }, request);
    await vi.waitUntil(() => performed > before);
    world.clock.advance(9_000);
    open();
    gate = undefined;
    await answer;
    const entries = await world.runtime.db.read
      .select({ createdAt: auditEntries.createdAt, detail: auditEntries.detail })
      .from(auditEntries)
      .where(eq(auditEntries.requestId, request.requestId));
    expect(entries.sort((a, b) => a.createdAt - b.createdAt)).toEqual([
      { createdAt: begunAt, detail: { step: "begin" } },
      { createdAt: begunAt + 9_000, detail: { step: "finish" } },
    ]);
  });

  /** Starts a call of `distant` that runs until `open` is called. */
  async function slowCall(request: { idempotencyKey: string }) {
    let open = () => {};
    gate = new Promise((resolve) => {
      open = resolve;
    });
    const before = performed;
    const answer = world.call(distant, org.admin.actor, { name: "z" }, request);
    await vi.waitUntil(() => performed > before);
    gate = undefined;
    return { answer, open };
  }

  test("refuses a second request with its key while it runs", async () => {
    const request = { idempotencyKey: "slow" };
    const first = await slowCall(request);
    const second = world.call(distant, org.admin.actor, { name: "z" }, request);
    expect(await refusalOf(second)).toBe("idempotency_key_in_use");
    // Another process sees the row, not this process's memory.
    world.runtime.runningKeys.clear();
    expect(await refusalOf(world.call(distant, org.admin.actor, { name: "z" }, request))).toBe(
      "idempotency_key_in_use",
    );
    first.open();
    expect((await first.answer).outcome).toMatch(/^done/);
  });

  test.each([-3_600_000, -31_000, 31_000, 3_600_000])(
    "runs in one process only, even if another's clock differs by %i ms",
    async (difference) => {
      const request = { idempotencyKey: `clocks that differ by ${difference}` };
      const call = (from: World) => from.call(distant, org.admin.actor, { name: "z" }, request);
      const other = await anotherProcess(world, { clock: { now: () => world.clock.now() + difference } });
      const first = await slowCall(request);
      const before = performed;
      expect(await refusalOf(call(other))).toBe("idempotency_key_in_use");
      expect(performed).toBe(before);
      first.open();
      const answer = await first.answer;
      expect(await call(other)).toEqual(answer);
      await other.close();
    },
  );

  test.each([-3_600_000, 3_600_000])(
    "is resumed by another process after its own died, with clocks %i ms apart",
    async (difference) => {
      const request = { idempotencyKey: `died ${difference} ms away` };
      const call = (from: World) => from.call(distant, org.admin.actor, { name: "z" }, request);
      const other = await anotherProcess(world, { clock: { now: () => world.clock.now() + difference } });
      const dead = await slowCall(request);
      expect(await refusalOf(call(other))).toBe("idempotency_key_in_use");
      await endKeyLeases(world);
      const taken = await call(other);
      expect(taken.outcome).toMatch(/^done txn_/);
      dead.open();
      expect(await dead.answer).toMatchObject({ outcome: taken.outcome });
      await other.close();
    },
  );
});

test("the rate limit counts calls per user across sessions, and reports what is left", async () => {
  const limited = await openWorld({ RATE_LIMIT: "2" });
  try {
    const tenant = await limited.organization();
    const request = callRequest(limited.runtime);
    await limited.call(leaky, tenant.admin.actor, {}, request).catch(() => {});
    expect(request.answerHeaders.RateLimit).toMatch(/^"default";r=1;t=\d+$/);
    const elsewhere = { ...tenant.admin.actor, sessionId: "ses_other" } as Actor;
    await limited.call(leaky, elsewhere, {}).catch(() => {});
    await expect(limited.call(leaky, tenant.admin.actor, {})).rejects.toMatchObject({
      code: "rate_limited",
      headers: { "Retry-After": expect.stringMatching(/^\d+$/) },
    });
    expect(await refusalOf(limited.call(rename, tenant.member.actor, { name: 1 } as never))).toBe("invalid_request");
    const guess = () => perform(leaky, {}, callRequest(limited.runtime, { bearer: "Bearer guess" }), limited.runtime);
    expect([await refusalOf(guess()), await refusalOf(guess()), await refusalOf(guess())]).toEqual([
      "unauthorized",
      "unauthorized",
      "rate_limited",
    ]);
  } finally {
    await limited.close();
  }
});

test("an unavailable database at authentication is our fault, not a wrong credential", async () => {
  const db = new Proxy(world.runtime.db, {
    get(target, name, receiver) {
      if (name === "read") throw new DatabaseUnavailable(new Error("gone"));
      return Reflect.get(target, name, receiver);
    },
  });
  const bearer = `Bearer ${mintToken("access", randomBytes(32))}`;
  const call = perform(rename, { name: "x" }, callRequest(world.runtime, { bearer }), { ...world.runtime, db });
  await expect(call).rejects.toMatchObject({ code: "unavailable", status: 503, headers: { "Retry-After": "1" } });
});

describe("a long-running call", () => {
  const lasting = operation({
    id: "test.lasting",
    summary: "Continues after its answer",
    access: rules["transactions.read"],
    effect: "read",
    input: z.strictObject({}),
    output: z.custom<() => Promise<boolean>>(),
    errors: {},
    run: async ({ ctx }) => ctx.stillAllowed,
  });
  const begin = (token: string) => callWith(world, lasting, token, {});

  test("stays allowed while its session, role and scope are unchanged", async () => {
    const person = await newPerson(world, org.admin.actor);
    expect(await (await begin(person.accessToken))()).toBe(true);
  });

  test("is no longer allowed once its session has ended", async () => {
    const person = await newPerson(world, org.admin.actor);
    const allowed = await begin(person.accessToken);
    await callWith(world, invalidateSession, person.accessToken, {});
    expect(await allowed()).toBe(false);
  });

  test("is no longer allowed once its user is removed", async () => {
    const person = await newPerson(world, org.admin.actor);
    const allowed = await begin(person.accessToken);
    await world.call(removeUser, org.admin.actor, { user_id: person.userId });
    expect(await allowed()).toBe(false);
  });

  test("is no longer allowed once its user's scope or rights shrink", async () => {
    const person = await newPerson(world, org.admin.actor, "admin");
    const allowed = await begin(person.accessToken);
    const become = (role: "member" | "admin") =>
      world.runtime.db.write((tx) => tx.update(users).set({ role }).where(eq(users.id, person.userId)));
    await become("member");
    expect(await allowed()).toBe(false);
    await become("admin");
    expect(await allowed()).toBe(true);
  });

  test("is no longer allowed once its API key is revoked or lacks the scope", async () => {
    const key = await apiKey(world, org.id, ["transactions:read"]);
    const allowed = await begin(key.token);
    expect(await allowed()).toBe(true);
    const change = (values: Partial<typeof apiKeys.$inferInsert>) =>
      world.runtime.db.write((tx) => tx.update(apiKeys).set(values).where(eq(apiKeys.id, key.id)));
    await change({ scopes: ["payments:read"] });
    expect(await allowed()).toBe(false);
    await change({ scopes: ["transactions:read"], revokedAt: world.clock.now() });
    expect(await allowed()).toBe(false);
  });
});
