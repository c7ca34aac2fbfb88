// Refreshing: every rule and refusal, concurrent calls, retries and theft, on a real database with a controlled clock.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { auditEntries, events, sessions, sessionTokens } from "@/db/tables";
import type { CallRequest } from "@/server/kit/context";
import { Failure } from "@/server/kit/errors";
import { hashToken } from "@/server/secrets/secret";
import { performAs } from "@/test/perform-as";
import { bearer, callWith, makeApiKey, signInAs } from "@/test/signing-in";
import { callRequest, openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { authenticate } from "../authenticate";
import { invalidateSession } from "./invalidate";
import { refreshSession } from "./refresh";

const minute = 60_000;
const day = 24 * 60 * minute;

let world: World;
let org: TestOrganization;
let pair: Awaited<ReturnType<typeof signInAs>>;

type Body = { rotate_refresh_token?: boolean; device_id?: string; client_version?: string };
const refresh = (token: string, body: Body = {}, request: Partial<CallRequest> = {}) =>
  callWith(world, refreshSession, { ...bearer(token), ...request }, body);
const refusal = (token: string, body: Body = {}, request: Partial<CallRequest> = {}) =>
  refusalOf(refresh(token, body, request));
const isAccepted = async (token: string) =>
  "actor" in (await authenticate(world.runtime, callRequest(world.runtime, bearer(token)), world.clock.now()));
const sessionRow = async (id = pair.session_id) => {
  const [row] = await world.runtime.db.read.select().from(sessions).where(eq(sessions.id, id));
  if (!row) throw new Error("The session's row no longer exists.");
  return row;
};
const eventsOf = async (objectId = pair.session_id) =>
  (await world.runtime.db.read.select().from(events).where(eq(events.objectId, objectId)).orderBy(events.sequence)).map(
    ({ type }) => type,
  );

beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.advance(minute);
  pair = await signInAs(world, org.member);
  world.clock.advance(minute);
});

describe("200", () => {
  it("returns a new pair and spends the old refresh token; earlier access tokens stay valid", async () => {
    const next = await refresh(pair.refresh_token);
    expect(next.session_id).toBe(pair.session_id);
    expect(next.refresh_token).not.toBe(pair.refresh_token);
    expect(next.access_token).not.toBe(pair.access_token);
    expect(Date.parse(next.expires_at)).toBe(world.clock.now() + 15 * minute);
    expect(Date.parse(next.refresh_token_expires_at ?? "")).toBe(world.clock.now() + 30 * day);
    expect(await isAccepted(pair.access_token)).toBe(true);
    expect(await isAccepted(next.access_token)).toBe(true);
    world.clock.advance(14 * minute);
    expect(await isAccepted(pair.access_token)).toBe(false);
    expect(await isAccepted(next.access_token)).toBe(true);
    world.clock.advance(minute);
    expect(await isAccepted(next.access_token)).toBe(false);
    expect((await refresh(next.refresh_token)).session_id).toBe(pair.session_id);
  });

  it("without rotation keeps the refresh token and its expiry, and omits the expiry from the response", async () => {
    const first = await refresh(pair.refresh_token, { rotate_refresh_token: false });
    expect(first.refresh_token).toBe(pair.refresh_token);
    expect(first).not.toHaveProperty("refresh_token_expires_at");
    world.clock.advance(minute);
    const second = await refresh(pair.refresh_token, { rotate_refresh_token: false });
    expect(second.access_token).not.toBe(first.access_token);
    world.clock.advance(Date.parse(pair.refresh_token_expires_at) - world.clock.now() - 1);
    expect((await refresh(pair.refresh_token)).session_id).toBe(pair.session_id);
    expect(await eventsOf()).toEqual([]);
  });

  it("accepts a missing body, unknown fields, and the scheme in any case", async () => {
    const next = await callWith(world, refreshSession, { bearer: `bEaReR ${pair.refresh_token}` }, {});
    const more = { unknown_field: 1, device_id: "phone" };
    expect((await callWith(world, refreshSession, bearer(next.refresh_token), more)).session_id).toBe(pair.session_id);
  });

  it("never extends a session beyond ninety days, however often it is refreshed", async () => {
    const end = (await sessionRow()).absoluteUntil;
    let token = pair.refresh_token;
    for (const days of [29, 29, 29]) {
      world.clock.advance(days * day);
      const next = await refresh(token);
      expect(Date.parse(next.refresh_token_expires_at ?? "")).toBeLessThanOrEqual(end);
      token = next.refresh_token;
    }
    world.clock.advance(end - world.clock.now() - minute);
    const last = await refresh(token);
    expect(Date.parse(last.expires_at)).toBe(end);
    expect(Date.parse(last.refresh_token_expires_at ?? "")).toBe(end);
    world.clock.advance(minute);
    expect(await refusal(last.refresh_token)).toBe("refresh_token_expired");
    expect(await isAccepted(last.access_token)).toBe(false);
    expect((await sessionRow()).status).toBe("active");
  });

  it("binds the first device that is named; another one is recorded as an anomaly, not refused", async () => {
    const first = await refresh(pair.refresh_token, { device_id: "phone", client_version: "1.0" });
    const same = await refresh(first.refresh_token, { device_id: "phone", client_version: "1.1" });
    expect(await sessionRow()).toMatchObject({ deviceId: "phone", deviceAnomalies: 0, clientVersion: "1.1" });
    await refresh(same.refresh_token, { device_id: "laptop" });
    expect(await sessionRow()).toMatchObject({ deviceId: "phone", deviceAnomalies: 1, clientVersion: "1.1" });
    expect(await eventsOf()).toEqual(["session.device_changed"]);
    const audits = await world.runtime.db.read
      .select({ detail: auditEntries.detail })
      .from(auditEntries)
      .where(eq(auditEntries.targetId, pair.session_id));
    expect(audits.map(({ detail }) => detail.outcome)).toContain("device_changed");
  });

  it("binds the device named at sign-in", async () => {
    const bound = await signInAs(world, org.other, { device_id: "tablet" });
    await refresh(bound.refresh_token, { device_id: "phone" });
    expect(await sessionRow(bound.session_id)).toMatchObject({ deviceId: "tablet", deviceAnomalies: 1 });
  });
});

describe("a retry with the same Idempotency-Key", () => {
  const retry = (idempotencyKey = "one", body: Body = {}) => refresh(pair.refresh_token, body, { idempotencyKey });

  it("gets the same pair with the same expiries for ten minutes, and the session stays live", async () => {
    const first = await retry();
    world.clock.advance(10 * minute - 1);
    const answerHeaders = {};
    const again = await refresh(pair.refresh_token, {}, { idempotencyKey: "one", answerHeaders });
    expect(again).toEqual(first);
    expect(answerHeaders).toEqual({ "Idempotent-Replayed": "true" });
    expect(await retry()).toEqual(first);
    expect((await refresh(first.refresh_token)).session_id).toBe(pair.session_id);
  });

  it("after ten minutes counts as theft, and the session ends", async () => {
    await retry();
    world.clock.advance(10 * minute);
    expect(await refusalOf(retry())).toBe("refresh_token_invalid");
    expect(await sessionRow()).toMatchObject({ status: "ended", endReason: "refresh_token_reuse" });
  });

  it.each(["access token", "refresh token"] as const)(
    "counts as theft once the new %s has been used",
    async (which) => {
      const first = await retry();
      if (which === "access token") expect(await isAccepted(first.access_token)).toBe(true);
      else await refresh(first.refresh_token);
      world.clock.advance(1);
      expect(await refusalOf(retry())).toBe("refresh_token_invalid");
      expect((await sessionRow()).status).toBe("active");
      world.clock.advance(11_000);
      expect(await refusalOf(retry("one", { device_id: "phone" }))).toBe("refresh_token_invalid");
      expect(await sessionRow()).toMatchObject({ status: "ended", endReason: "refresh_token_reuse" });
    },
  );

  it("is not ended by the use of earlier tokens, and costs one write per exchange", async () => {
    const first = await retry();
    expect(await isAccepted(pair.access_token)).toBe(true);
    expect(await retry()).toEqual(first);
    const { db } = world.runtime;
    let writes = 0;
    const counted: typeof db = {
      ...db,
      write(work) {
        writes++;
        return db.write(work);
      },
    };
    const runtime = { ...world.runtime, db: counted };
    for (let i = 0; i < 5; i++) {
      await authenticate(runtime, callRequest(runtime, bearer(first.access_token)), world.clock.now());
    }
    const unkeyed = await refresh(first.refresh_token);
    await authenticate(runtime, callRequest(runtime, bearer(unkeyed.access_token)), world.clock.now());
    expect(writes).toBe(1);
  });

  it("is replayed or refused, and nothing else, while the access token is used concurrently", async () => {
    for (let round = 0; round < 5; round++) {
      const key = `race ${round}`;
      const first = await refresh(pair.refresh_token, {}, { idempotencyKey: key });
      world.clock.advance(1);
      const [, ...answers] = await Promise.all([
        isAccepted(first.access_token),
        ...Array.from({ length: 6 }, () =>
          refresh(pair.refresh_token, {}, { idempotencyKey: key }).catch((error: Failure) => error.code),
        ),
      ]);
      for (const answer of answers) expect([first, "refresh_token_invalid"]).toContainEqual(answer);
      expect(await refusal(pair.refresh_token, {}, { idempotencyKey: key })).toBe("refresh_token_invalid");
      expect((await sessionRow()).status).toBe("active");
      pair = { ...pair, ...first, refresh_token_expires_at: first.refresh_token_expires_at ?? "" };
    }
  });

  it("gets the same access token without rotation, also after an exchange with another key", async () => {
    const body = { rotate_refresh_token: false };
    const first = await retry("one", body);
    const second = await retry("two", body);
    expect(second.access_token).not.toBe(first.access_token);
    expect(await retry("one", body)).toEqual(first);
    expect(await retry("two", body)).toEqual(second);
    expect(await isAccepted(first.access_token)).toBe(true);
    const third = await retry("one", body);
    expect([first.access_token, second.access_token]).not.toContain(third.access_token);
    expect(await retry("one", body)).toEqual(third);
  });

  it("is refused with another body, or if the key was used with another token of the session", async () => {
    const first = await retry();
    expect(await refusalOf(retry("one", { device_id: "phone" }))).toBe("idempotency_key_reused");
    expect(await refusal(first.refresh_token, {}, { idempotencyKey: "one" })).toBe("idempotency_key_reused");
    expect((await refresh(first.refresh_token)).session_id).toBe(pair.session_id);
  });

  it("does not share its key with another session", async () => {
    const first = await retry();
    const other = await signInAs(world, org.other);
    const theirs = await refresh(other.refresh_token, {}, { idempotencyKey: "one" });
    expect(theirs.session_id).toBe(other.session_id);
    expect(theirs.access_token).not.toBe(first.access_token);
  });

  it("gets nothing once the session has ended", async () => {
    const first = await retry();
    await callWith(world, invalidateSession, bearer(first.access_token), {});
    expect(await refusalOf(retry())).toBe("session_not_found");
  });

  it("is not recognized under another key", async () => {
    await retry();
    world.clock.advance(11_000);
    expect(await refusalOf(retry("two"))).toBe("refresh_token_invalid");
    expect((await sessionRow()).status).toBe("ended");
  });
});

describe("401 refresh_token_invalid", () => {
  it("for a token that is missing, malformed, unknown or of another kind", async () => {
    const { token: key } = await makeApiKey(world, org.id);
    const headers = [
      null,
      "",
      "Bearer",
      "Bearer ",
      pair.refresh_token,
      `Basic ${pair.refresh_token}`,
      `Bearer ${pair.refresh_token}x`,
      `Bearer ${pair.refresh_token.slice(0, -1)}`,
      `Bearer ${pair.refresh_token} ${pair.refresh_token}`,
      `Bearer ${pair.refresh_token}, Bearer ${pair.refresh_token}`,
      `Bearer ${" ".repeat(512)}${pair.refresh_token}`,
      `Bearer ${pair.access_token}`,
      `Bearer ${key}`,
      "Bearer qtrt_0000000000000000000000000000000000000000000000000",
    ];
    for (const header of headers) {
      expect(await refusalOf(callWith(world, refreshSession, { bearer: header }, {}))).toBe("refresh_token_invalid");
    }
    expect((await refresh(pair.refresh_token)).session_id).toBe(pair.session_id);
  });

  it("carries the status and the challenge", async () => {
    const error = await refresh("nonsense").catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(Failure);
    expect(error).toMatchObject({ status: 401, headers: { "WWW-Authenticate": "Bearer" } });
  });

  it("for a token spent less than ten seconds ago; the session stays live", async () => {
    const next = await refresh(pair.refresh_token);
    world.clock.advance(1);
    expect(await refusal(pair.refresh_token)).toBe("refresh_token_invalid");
    world.clock.advance(9_998);
    expect(await refusal(pair.refresh_token)).toBe("refresh_token_invalid");
    expect((await refresh(next.refresh_token)).session_id).toBe(pair.session_id);
  });

  it("for a token spent ten seconds ago; the session ends with all its tokens, and that commits", async () => {
    const next = await refresh(pair.refresh_token);
    const third = await refresh(next.refresh_token);
    world.clock.advance(10_000);
    expect(await refusal(pair.refresh_token)).toBe("refresh_token_invalid");
    expect(await sessionRow()).toMatchObject({ status: "ended", endReason: "refresh_token_reuse", endedBy: null });
    expect((await sessionRow()).revokedTokens).toBe(4);
    for (const { access_token, refresh_token } of [pair, next, third]) {
      expect(await isAccepted(access_token)).toBe(false);
      expect(await refusal(refresh_token)).toBe("session_not_found");
    }
    expect(await eventsOf()).toEqual(["session.invalidated", "session.reuse_detected"]);
  });

  it("ends only the session whose token was reused", async () => {
    const elsewhere = await signInAs(world, org.member);
    await refresh(pair.refresh_token);
    world.clock.advance(minute);
    expect(await refusal(pair.refresh_token)).toBe("refresh_token_invalid");
    expect((await refresh(elsewhere.refresh_token)).session_id).toBe(elsewhere.session_id);
  });
});

describe("404 session_not_found", () => {
  it("for a session that was ended, even if it has also expired", async () => {
    await callWith(world, invalidateSession, bearer(pair.access_token), {});
    const error = await refresh(pair.refresh_token).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "session_not_found", status: 404 });
    world.clock.advance(100 * day);
    expect(await refusal(pair.refresh_token)).toBe("session_not_found");
  });
});

describe("401 refresh_token_expired", () => {
  it("from the expiry on, also for a spent token, without ending the session", async () => {
    const next = await refresh(pair.refresh_token, {}, {});
    world.clock.advance(Date.parse(pair.refresh_token_expires_at) - world.clock.now());
    expect(await refusal(pair.refresh_token)).toBe("refresh_token_expired");
    expect((await sessionRow()).status).toBe("active");
    expect((await refresh(next.refresh_token)).session_id).toBe(pair.session_id);
  });
});

describe("concurrent requests with one token", () => {
  const outcomesOf = async (calls: Promise<{ refresh_token: string; access_token: string }>[]) => {
    const results = await Promise.allSettled(calls);
    const won = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    const lost = results.flatMap((result) => (result.status === "rejected" ? [result.reason.code as string] : []));
    return { won, lost };
  };

  for (const requests of [2, 10, 100]) {
    it(`exactly one of ${requests} wins, the others lose the race, the session stays live`, async () => {
      const { won, lost } = await outcomesOf(Array.from({ length: requests }, () => refresh(pair.refresh_token)));
      expect(won).toHaveLength(1);
      expect(lost).toEqual(Array(requests - 1).fill("token_rotation_failed"));
      expect((await refresh(won[0]?.refresh_token ?? "")).session_id).toBe(pair.session_id);
      const rows = await world.runtime.db.read
        .select()
        .from(sessionTokens)
        .where(eq(sessionTokens.sessionId, pair.session_id));
      expect(rows).toHaveLength(6);
    });

    it(`all of ${requests} with one Idempotency-Key get the same pair`, async () => {
      const call = () => refresh(pair.refresh_token, {}, { idempotencyKey: "same" });
      const { won, lost } = await outcomesOf(Array.from({ length: requests }, call));
      expect(lost).toEqual([]);
      expect(new Set(won.map((each) => JSON.stringify(each))).size).toBe(1);
    });
  }

  it("a request that arrived before the winner and is served much later is not treated as theft", async () => {
    const receivedAt = world.clock.now();
    world.clock.advance(1_000);
    await refresh(pair.refresh_token);
    world.clock.advance(60_000);
    expect(await refusal(pair.refresh_token, {}, { receivedAt })).toBe("token_rotation_failed");
    expect((await sessionRow()).status).toBe("active");
  });

  it("without rotation all of them win", async () => {
    const calls = Array.from({ length: 20 }, () => refresh(pair.refresh_token, { rotate_refresh_token: false }));
    const { won, lost } = await outcomesOf(calls);
    expect(lost).toEqual([]);
    expect(new Set(won.map(({ access_token }) => access_token)).size).toBe(20);
  });

  it("while the session is ended: none succeeds once the end of the session has been confirmed", async () => {
    let hasEnded = false;
    let lateWins = 0;
    let token = pair.refresh_token;
    const refreshing = Array.from({ length: 20 }, async () => {
      for (let i = 0; i < 10; i++) {
        const wasEnded = hasEnded;
        const next = await refresh(token).catch(() => undefined);
        if (next) token = next.refresh_token;
        if (next && wasEnded) lateWins++;
        if (wasEnded && (await isAccepted(pair.access_token))) lateWins++;
      }
    });
    await new Promise((resume) => setTimeout(resume, 5));
    await callWith(world, invalidateSession, bearer(pair.access_token), {});
    hasEnded = true;
    await Promise.all(refreshing);
    expect(lateWins).toBe(0);
    expect(await refusal(token)).toBe("session_not_found");
    const rows = await world.runtime.db.read
      .select()
      .from(sessionTokens)
      .where(eq(sessionTokens.sessionId, pair.session_id));
    expect(rows.filter((row) => row.revokedAt === null && row.spentAt === null)).toEqual([]);
  });
});

describe("a storage fault", () => {
  it("consumes nothing: the same token works on the next attempt", async () => {
    const { runtime } = world;
    const broken = {
      ...runtime,
      db: {
        ...runtime.db,
        write: <T>(work: Parameters<typeof runtime.db.write<T>>[0]) =>
          runtime.db.write<T>(async (tx) => {
            await work(tx);
            throw new Error("the disk is gone");
          }),
      },
    };
    const request = callRequest(runtime, bearer(pair.refresh_token));
    const call = performAs(refreshSession, {}, { type: "anonymous" }, request, broken);
    await expect(call).rejects.toThrow("the disk is gone");
    const [row] = await runtime.db.read
      .select()
      .from(sessionTokens)
      .where(eq(sessionTokens.hash, hashToken(pair.refresh_token)));
    expect(row?.spentAt).toBeNull();
    expect((await refresh(pair.refresh_token)).session_id).toBe(pair.session_id);
  });
});

describe("a new server key", () => {
  it("accepts and replays tokens of the former key; without it, tokens stay valid by their hashes", async () => {
    const request = { idempotencyKey: "one" };
    const first = await refresh(pair.refresh_token, {}, request);
    const { runtime } = world;
    const fresh = { id: "ffffffff", key: Buffer.alloc(32, 9) };
    const call = (keys: typeof runtime.keys, token: string) =>
      performAs(refreshSession, {}, { type: "anonymous" }, callRequest(runtime, { ...bearer(token), ...request }), {
        ...runtime,
        keys,
      });
    const rotated = { current: fresh, all: [fresh, ...runtime.keys.all] };
    expect(await call(rotated, pair.refresh_token)).toEqual(first);
    const alone = { current: fresh, all: [fresh] };
    expect(await call(alone, first.refresh_token)).toMatchObject({ session_id: pair.session_id });
  });
});
