// Which caller a credential identifies: every kind of token, where each is accepted, and when each stops working.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { apiKeys, sessions, users } from "@/db/tables";
import { revokeApiKey } from "@/server/domains/api-keys/operations/revoke";
import { rotateApiKey } from "@/server/domains/api-keys/operations/rotate";
import type { CallRequest } from "@/server/kit/context";
import { mintToken, type TokenKind } from "@/server/secrets/secret";
import { moveClock } from "@/test/sandbox-clock";
import { bearer, callWith, cookieJar, givePassword, makeApiKey, password, signInAs } from "@/test/signing-in";
import { callRequest, openWorld, type TestOrganization, type World } from "@/test/world";
import { authenticate, bearerToken } from "./authenticate";
import { invalidateSession } from "./operations/invalidate";
import { signIn } from "./operations/sign-in";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

let world: World;
let org: TestOrganization;

const ask = (request: Partial<CallRequest>) =>
  authenticate(world.runtime, callRequest(world.runtime, request), world.clock.now());
const problemOf = async (request: Partial<CallRequest>) => {
  const answer = await ask(request);
  return "problem" in answer ? answer.problem : answer.actor.type;
};
const sessionRow = async (id: string) => {
  const [row] = await world.runtime.db.read.select().from(sessions).where(eq(sessions.id, id));
  return row;
};
/** Uses are recorded outside the call; waits until one is stored. */
const seenAt = async (id: string, at: number) => {
  await expect.poll(async () => (await sessionRow(id))?.lastSeenAt).toBe(at);
};

async function cookieSession() {
  await givePassword(world, org.admin);
  const jar = cookieJar();
  const { session_id } = await callWith(world, signIn, jar.request, { email: org.admin.email, password });
  return { session_id, cookie: jar.value("quittance_session") ?? "" };
}

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  org = await world.organization();
});

describe("the Authorization header", () => {
  it("carries exactly one Bearer credential of at most 512 bytes, with the scheme in any case", () => {
    expect(bearerToken("Bearer abc_1")).toBe("abc_1");
    expect(bearerToken("bearer  abc_1 ")).toBe("abc_1");
    const refused = [
      "",
      "Bearer",
      "Bearer a b",
      "Bearer a, Bearer b",
      "Basic abc",
      "abc",
      "Bearer\tabc",
      "Bearer a\u0000",
    ];
    for (const header of [null, ...refused, `Bearer ${"a".repeat(506)}`]) expect(bearerToken(header)).toBeNull();
    expect(bearerToken(`Bearer ${"a".repeat(505)}`)).toHaveLength(505);
  });
});

describe("an access token", () => {
  it("identifies its user with the current role", async () => {
    const { access_token, session_id } = await signInAs(world, org.member);
    const actor = {
      type: "user",
      userId: org.member.id,
      organizationId: org.id,
      role: "member",
      sessionId: session_id,
      sessionKind: "api",
      authenticatedAt: world.clock.now(),
    };
    expect(await ask(bearer(access_token))).toEqual({ actor, clockOffsetMs: 0 });
    await world.runtime.db.write(async (tx) => {
      await tx.update(users).set({ role: "admin" }).where(eq(users.id, org.member.id));
    });
    expect(await ask(bearer(access_token))).toEqual({ actor: { ...actor, role: "admin" }, clockOffsetMs: 0 });
  });

  it("brings along how far the organization's clock is ahead, like an API key", async () => {
    const { access_token } = await signInAs(world, org.admin);
    const { token } = await makeApiKey(world, org.id);
    await moveClock(world, org.admin.actor, "P3D");
    for (const credential of [access_token, token]) {
      expect(await ask(bearer(credential))).toMatchObject({ clockOffsetMs: 3 * day });
    }
  });

  it("is valid for exactly fifteen minutes", async () => {
    const { access_token } = await signInAs(world, org.member);
    world.clock.advance(15 * minute - 1_000);
    expect(await problemOf(bearer(access_token))).toBe("user");
    world.clock.advance(1_000);
    expect(await problemOf(bearer(access_token))).toBe("expired");
  });

  it("fails immediately when its session ends or its user is removed", async () => {
    const { access_token } = await signInAs(world, org.member);
    await callWith(world, invalidateSession, bearer(access_token), {});
    expect(await problemOf(bearer(access_token))).toBe("ended");
    world.clock.advance(day);
    expect(await problemOf(bearer(access_token))).toBe("ended");
    const other = await signInAs(world, org.other);
    await world.runtime.db.write(async (tx) => {
      await tx.update(users).set({ status: "removed", emailKey: null }).where(eq(users.id, org.other.id));
    });
    expect(await problemOf(bearer(other.access_token))).toBe("ended");
  });

  it("records a use at most once a minute", async () => {
    const { access_token, session_id } = await signInAs(world, org.member);
    const openedAt = world.clock.now();
    world.clock.advance(minute - 1);
    await ask(bearer(access_token));
    world.clock.advance(1);
    expect((await sessionRow(session_id))?.lastSeenAt).toBe(openedAt);
    await Promise.all(Array.from({ length: 20 }, () => ask(bearer(access_token))));
    await seenAt(session_id, world.clock.now());
    expect(await sessionRow(session_id)).toMatchObject({ idleUntil: null });
  });
});

describe("a dashboard cookie", () => {
  it("identifies its user with the kind of its session", async () => {
    const { cookie, session_id } = await cookieSession();
    const answer = await ask({ cookie });
    expect(answer).toMatchObject({
      actor: { type: "user", sessionId: session_id, sessionKind: "cookie", role: "admin" },
    });
  });

  it("expires after twelve hours without use", async () => {
    const { cookie } = await cookieSession();
    world.clock.advance(12 * hour - 1_000);
    expect(await problemOf({ cookie })).toBe("user");
    const idle = await cookieSession();
    world.clock.advance(12 * hour);
    expect(await problemOf({ cookie: idle.cookie })).toBe("expired");
    expect((await sessionRow(idle.session_id))?.status).toBe("active");
  });

  it("is extended by use, but not beyond seven days", async () => {
    const { cookie, session_id } = await cookieSession();
    for (let hours = 11; hours <= 165; hours += 11) {
      world.clock.advance(11 * hour);
      expect(await problemOf({ cookie })).toBe("user");
      await seenAt(session_id, world.clock.now());
    }
    world.clock.advance(7 * day - 165 * hour - 1_000);
    expect(await problemOf({ cookie })).toBe("user");
    world.clock.advance(1_000);
    expect(await problemOf({ cookie })).toBe("expired");
  });
});

describe("an API key", () => {
  it("identifies itself with its scopes", async () => {
    const { id, token } = await makeApiKey(world, org.id, {
      scopes: ["accounts:read"],
      accountId: org.member.accountId,
    });
    const actor = {
      type: "api_key",
      keyId: id,
      organizationId: org.id,
      scopes: ["accounts:read"],
      accountId: org.member.accountId,
    };
    expect(await ask(bearer(token))).toEqual({ actor, clockOffsetMs: 0 });
  });

  it("stops at its expiry and immediately when revoked; the previous secret stops after the overlap", async () => {
    const now = world.clock.now();
    const expiring = await makeApiKey(world, org.id, { expiresAt: now + minute });
    const rotated = await makeApiKey(world, org.id);
    const { secret } = await world.call(rotateApiKey, org.admin.actor, { api_key_id: rotated.id, overlap_hours: 1 });
    const revoked = await makeApiKey(world, org.id);
    for (const token of [expiring.token, rotated.token, secret ?? "", revoked.token]) {
      expect(await problemOf(bearer(token))).toBe("api_key");
    }
    await world.call(revokeApiKey, org.admin.actor, { api_key_id: revoked.id });
    expect(await problemOf(bearer(revoked.token))).toBe("invalid");
    world.clock.advance(minute);
    expect(await problemOf(bearer(expiring.token))).toBe("expired");
    world.clock.advance(59 * minute - 1);
    expect(await problemOf(bearer(rotated.token))).toBe("api_key");
    world.clock.advance(1);
    expect(await problemOf(bearer(rotated.token))).toBe("invalid");
    expect(await problemOf(bearer(secret ?? ""))).toBe("api_key");
  });

  it("is refused even if another process revoked it at a time that this process's clock has not reached", async () => {
    const { id, token } = await makeApiKey(world, org.id);
    await world.runtime.db.write(async (tx) => {
      await tx
        .update(apiKeys)
        .set({ revokedAt: world.clock.now() + minute })
        .where(eq(apiKeys.id, id));
    });
    expect(await problemOf(bearer(token))).toBe("invalid");
  });

  it("has its use recorded once a minute, and none that was refused", async () => {
    const { id, token } = await makeApiKey(world, org.id);
    const used = async () => {
      const [row] = await world.runtime.db.read.select().from(apiKeys).where(eq(apiKeys.id, id));
      return row?.lastUsedAt ?? null;
    };
    const first = world.clock.now();
    expect(await used()).toBeNull();
    await ask(bearer(token));
    await expect.poll(used).toBe(first);
    world.clock.advance(minute - 1);
    await ask(bearer(token));
    await world.runtime.db.write(async () => undefined);
    expect(await used()).toBe(first);
    world.clock.advance(1);
    await ask(bearer(token));
    await expect.poll(used).toBe(first + minute);
    await world.call(revokeApiKey, org.admin.actor, { api_key_id: id });
    world.clock.advance(minute);
    expect(await problemOf(bearer(token))).toBe("invalid");
    await world.runtime.db.write(async () => undefined);
    expect(await used()).toBe(first + minute);
  });
});

describe("token kinds", () => {
  it("are never interchangeable: each is accepted only in its own place", async () => {
    const api = await signInAs(world, org.member);
    const { cookie } = await cookieSession();
    const { token: key } = await makeApiKey(world, org.id);
    const tokens: Record<string, string> = { access: api.access_token, refresh: api.refresh_token, cookie, key };
    for (const kind of ["payLink", "setup"] satisfies TokenKind[]) tokens[kind] = mintToken(kind, Buffer.alloc(32, 3));
    const doors: Record<string, (token: string) => Partial<CallRequest>> = {
      header: bearer,
      cookie: (token) => ({ cookie: token }),
    };
    const opened = [];
    for (const [door, request] of Object.entries(doors)) {
      for (const [kind, token] of Object.entries(tokens)) {
        if ((await problemOf(request(token))) !== "invalid") opened.push(`${kind} in the ${door}`);
      }
    }
    expect(opened).toEqual(["access in the header", "key in the header", "cookie in the cookie"]);
  });

  it("are refused under another prefix with a correct checksum, and when never issued", async () => {
    expect(await problemOf(bearer(mintToken("access", Buffer.alloc(32, 1))))).toBe("invalid");
    expect(await problemOf(bearer(mintToken("apiKey", Buffer.alloc(32, 1))))).toBe("invalid");
    expect(await problemOf({ cookie: mintToken("cookie", Buffer.alloc(32, 1)) })).toBe("invalid");
  });

  it("a header is the credential even beside a valid cookie; without both the credential is missing", async () => {
    const { cookie } = await cookieSession();
    expect(await problemOf({ bearer: "Bearer nonsense", cookie })).toBe("invalid");
    expect(await problemOf({ bearer: "", cookie })).toBe("invalid");
    expect(await problemOf({})).toBe("missing");
  });
});
