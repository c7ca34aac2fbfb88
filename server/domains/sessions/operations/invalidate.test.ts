// Invalidating a session: whose session, the reason, the revoked tokens, and the four refusals.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { auditEntries, events, sessions } from "@/db/tables";
import type { CallRequest } from "@/server/kit/context";
import { boundTo } from "@/test/people";
import { bearer, callWith, makeApiKey, signInAs } from "@/test/signing-in";
import { callRequest, openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { authenticate } from "../authenticate";
import { invalidateSession } from "./invalidate";
import { refreshSession } from "./refresh";

const minute = 60_000;

let world: World;
let org: TestOrganization;
let own: Awaited<ReturnType<typeof signInAs>>;

type Body = { session_id?: string; reason?: string };
const invalidate = (token: string, body: Body = {}) => callWith(world, invalidateSession, bearer(token), body);
const isLive = async (token: string) =>
  "actor" in (await authenticate(world.runtime, callRequest(world.runtime, bearer(token)), world.clock.now()));
const sessionRow = async (id: string) => {
  const [row] = await world.runtime.db.read.select().from(sessions).where(eq(sessions.id, id));
  return row;
};
const failureOf = async (call: Promise<unknown>) => {
  const error = await call.catch((caught: unknown) => caught);
  return error as { code: string; status: number; headers: Record<string, string> };
};

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.advance(minute);
  org = await world.organization();
  own = await signInAs(world, org.member);
});

describe("200", () => {
  it("ends the token's own session by default; its tokens fail immediately, and all rows stay", async () => {
    const answer = await invalidate(own.access_token);
    expect(answer).toEqual({
      success: true,
      invalidated_session_id: own.session_id,
      revoked_tokens: 2,
      revoked_at: new Date(world.clock.now()).toISOString(),
    });
    expect(await isLive(own.access_token)).toBe(false);
    expect(await refusalOf(callWith(world, refreshSession, bearer(own.refresh_token), {}))).toBe("session_not_found");
    expect(await sessionRow(own.session_id)).toMatchObject({
      status: "ended",
      endReason: "user_logout",
      endReasonText: null,
      endedAt: world.clock.now(),
      endedBy: org.member.id,
      revokedTokens: 2,
    });
  });

  it("counts the tokens that were live: neither spent nor expired", async () => {
    const next = await callWith(world, refreshSession, bearer(own.refresh_token), {});
    world.clock.advance(14 * minute);
    const third = await callWith(world, refreshSession, bearer(next.refresh_token), {});
    world.clock.advance(minute);
    expect((await invalidate(third.access_token)).revoked_tokens).toBe(2);
  });

  it("ends another session of the caller and leaves the current one", async () => {
    const other = await signInAs(world, org.member);
    const answer = await invalidate(own.access_token, { session_id: other.session_id, reason: "device_lost" });
    expect(answer.invalidated_session_id).toBe(other.session_id);
    expect(await isLive(other.access_token)).toBe(false);
    expect(await isLive(own.access_token)).toBe(true);
  });

  it("lets an admin, or a key with its scope, end any session of the organization", async () => {
    const admin = await signInAs(world, org.admin);
    await invalidate(admin.access_token, { session_id: own.session_id });
    expect(await sessionRow(own.session_id)).toMatchObject({ endReason: "admin_action", endedBy: org.admin.id });
    const other = await signInAs(world, org.other);
    const { token, id } = await makeApiKey(world, org.id);
    await invalidate(token, { session_id: other.session_id, reason: "suspicious_activity" });
    expect(await sessionRow(other.session_id)).toMatchObject({ endReason: "suspicious_activity", endedBy: id });
  });

  it("ends all sessions of the user for compromised credentials, and counts all their tokens", async () => {
    const others = [await signInAs(world, org.member), await signInAs(world, org.member)];
    const foreign = await signInAs(world, org.other);
    expect((await invalidate(own.access_token, { reason: "credentials_compromised" })).revoked_tokens).toBe(6);
    for (const { access_token } of [own, ...others]) expect(await isLive(access_token)).toBe(false);
    expect(await isLive(foreign.access_token)).toBe(true);
  });

  it("stores any other reason as `other` with its text, and ignores unknown fields", async () => {
    const body = { reason: "  the dog ate my phone ", more: true };
    await callWith(world, invalidateSession, bearer(own.access_token), body);
    expect(await sessionRow(own.session_id)).toMatchObject({
      endReason: "other",
      endReasonText: "the dog ate my phone",
    });
  });

  it("writes an event and an audit entry, neither of which contains the client's text", async () => {
    await invalidate(own.access_token, { reason: "some words" });
    const [event] = await world.runtime.db.read.select().from(events).where(eq(events.objectId, own.session_id));
    expect(event).toMatchObject({
      type: "session.invalidated",
      organizationId: org.id,
      sequence: 1,
      data: { session_id: own.session_id, user_id: org.member.id, reason: "other", revoked_tokens: 2 },
    });
    const audits = await world.runtime.db.read
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.targetId, own.session_id));
    expect(audits.at(-1)).toMatchObject({ operation: "sessions.invalidate", actorId: org.member.id });
    expect(JSON.stringify([event, audits])).not.toContain("some words");
  });
});

describe("401", () => {
  it("unauthorized: a missing, malformed or expired token, and one of another kind", async () => {
    const requests: Partial<CallRequest>[] = [{}, { bearer: "Bearer x" }, bearer(own.refresh_token), { bearer: "" }];
    for (const request of requests) {
      const failure = await failureOf(callWith(world, invalidateSession, request, {}));
      expect(failure).toMatchObject({ code: "unauthorized", status: 401, headers: { "WWW-Authenticate": "Bearer" } });
    }
    world.clock.advance(15 * minute);
    expect(await refusalOf(invalidate(own.access_token))).toBe("unauthorized");
    expect((await sessionRow(own.session_id))?.status).toBe("active");
  });

  it("session_already_invalidated: the token's own session, or the named one, has ended", async () => {
    const other = await signInAs(world, org.member);
    await invalidate(own.access_token);
    const failure = await failureOf(invalidate(own.access_token));
    expect(failure).toMatchObject({
      code: "session_already_invalidated",
      status: 401,
      headers: { "WWW-Authenticate": "Bearer" },
    });
    world.clock.advance(60 * minute);
    expect(await refusalOf(invalidate(own.access_token))).toBe("session_already_invalidated");
    const again = await signInAs(world, org.member);
    const named = await failureOf(invalidate(again.access_token, { session_id: own.session_id }));
    expect(named).toMatchObject({ code: "session_already_invalidated", status: 401 });
    expect((await sessionRow(other.session_id))?.status).toBe("active");
  });

  it("session_not_found: unknown, malformed and another organization's, all answered alike", async () => {
    const abroad = await world.organization("Elsewhere");
    const foreign = await signInAs(world, abroad.member);
    const admin = await signInAs(world, org.admin);
    const { token: key } = await makeApiKey(world, org.id);
    for (const session_id of [foreign.session_id, world.id("ses"), "nonsense", ""]) {
      for (const token of [own.access_token, admin.access_token, key]) {
        expect(await failureOf(invalidate(token, { session_id }))).toMatchObject({
          code: "session_not_found",
          status: 401,
        });
      }
    }
    expect(await isLive(foreign.access_token)).toBe(true);
  });

  it("insufficient_permissions: a key bound to one account, even for a session of that account's user", async () => {
    const unbound = await makeApiKey(world, org.id);
    const key = boundTo(org.member.accountId, unbound.actor);
    const reason = "credentials_compromised";
    const ending = world.call(invalidateSession, key, { session_id: own.session_id, reason });
    expect(await refusalOf(ending)).toBe("insufficient_permissions");
    expect(await isLive(own.access_token)).toBe(true);
  });

  it("insufficient_permissions: a member naming another user's session, or a key without the scope", async () => {
    const other = await signInAs(world, org.other);
    const { token } = await makeApiKey(world, org.id, { scopes: ["sessions:read"] });
    for (const credential of [own.access_token, token]) {
      expect(await failureOf(invalidate(credential, { session_id: other.session_id }))).toMatchObject({
        code: "insufficient_permissions",
        status: 401,
        headers: { "WWW-Authenticate": "Bearer" },
      });
    }
    expect(await isLive(other.access_token)).toBe(true);
  });
});

describe("400 invalid_request", () => {
  it("names the field at fault", async () => {
    const { token } = await makeApiKey(world, org.id);
    await expect(invalidate(token)).rejects.toThrow("session_id:");
    await expect(invalidate(own.access_token, { reason: "x".repeat(257) })).rejects.toThrow("reason:");
    expect((await invalidate(own.access_token, { reason: "x".repeat(256) })).success).toBe(true);
  });
});

describe("concurrent calls", () => {
  it("end the session once: one succeeds, the others find it ended, and there is one event", async () => {
    const calls = Array.from({ length: 20 }, () => invalidate(own.access_token).catch((error: unknown) => error));
    const results = await Promise.all(calls);
    expect(results.filter((result) => !(result instanceof Error))).toHaveLength(1);
    for (const error of results.filter((result) => result instanceof Error)) {
      expect(error).toMatchObject({ code: "session_already_invalidated", status: 401 });
    }
    const rows = await world.runtime.db.read.select().from(events).where(eq(events.objectId, own.session_id));
    expect(rows).toHaveLength(1);
  });
});
