// Signing in to the dashboard: the cookie it sets and clears, with the same checks as the API.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sessions } from "@/db/tables";
import { createAccount } from "@/server/domains/accounts/operations/create";
import type { CallRequest } from "@/server/kit/context";
import { deriveBytes, mintToken } from "@/server/secrets/secret";
import { closeAccountByCookie } from "@/test/closing";
import { bearer, callWith, cookieJar, givePassword, password, signInAs } from "@/test/signing-in";
import { callRequest, openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { authenticate } from "../authenticate";
import { readCookie, sessionCookie, sessionCookieName } from "../cookie";
import { invalidateSession } from "./invalidate";
import { login } from "./login";
import { signIn } from "./sign-in";
import { signOut } from "./sign-out";

let world: World;
let org: TestOrganization;

/** Signs in as a browser does; returns the answer and the cookie that was set. */
async function enter(request: Partial<CallRequest> = {}, given = password) {
  const jar = cookieJar();
  const input = { email: org.admin.email, password: given };
  const answer = await callWith(world, signIn, { ...jar.request, ...request }, input);
  return { ...answer, set: jar.headers.at(-1) ?? "", cookie: jar.value("quittance_session") };
}
const isLive = async (cookie: string | null) =>
  "actor" in (await authenticate(world.runtime, callRequest(world.runtime, { cookie }), world.clock.now()));
const sessionRow = async (id: string) => {
  const [row] = await world.runtime.db.read.select().from(sessions).where(eq(sessions.id, id));
  return row;
};

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  org = await world.organization();
  await givePassword(world, org.admin);
});

describe("signing in", () => {
  it("opens a cookie session and returns its token only in the cookie", async () => {
    const entered = await enter();
    expect(entered).toMatchObject({ user_id: org.admin.id, role: "admin" });
    expect(entered.cookie).toMatch(/^qtcs_[0-9A-Za-z]{49}$/);
    expect(JSON.stringify({ ...entered, set: "", cookie: "" })).not.toContain("qtcs_");
    expect(entered.set).toMatch(/; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/);
    expect(Date.parse(entered.expires_at)).toBe(world.clock.now() + 12 * 3_600_000);
    expect(await isLive(entered.cookie)).toBe(true);
    expect(await sessionRow(entered.session_id)).toMatchObject({ kind: "cookie", status: "active" });
  });

  it("ends the browser's earlier session, so that no session is left without its cookie", async () => {
    const first = await enter();
    const second = await enter({ cookie: first.cookie });
    expect(await isLive(first.cookie)).toBe(false);
    expect(await isLive(second.cookie)).toBe(true);
    expect(await sessionRow(first.session_id)).toMatchObject({ endReason: "replaced" });
  });

  it("again satisfies a step-up for which the earlier sign-in was too old", async () => {
    const first = await enter();
    world.clock.advance(10 * 60_000 + 1);
    const { account_id } = await world.call(createAccount, org.admin.actor, {
      account_type: "business",
      account_name: "Corner shop",
      email: "shop@example.com",
    });
    const close = (cookie: string | null) => closeAccountByCookie(world, cookie, account_id);
    expect(await refusalOf(close(first.cookie))).toBe("reauthentication_required");
    const wrong = { email: org.admin.email, password: "wrong" };
    expect(await refusalOf(callWith(world, signIn, { cookie: first.cookie }, wrong))).toBe("invalid_credentials");
    expect(await refusalOf(close(first.cookie))).toBe("reauthentication_required");

    const second = await enter({ cookie: first.cookie });
    expect((await close(second.cookie)).status).toBe("closed");
    expect(await isLive(first.cookie)).toBe(false);
  });

  it("is refused like on the API, shares its limits, and then sets no cookie", async () => {
    const jar = cookieJar();
    const wrong = { email: org.admin.email, password: "wrong" };
    expect(await refusalOf(callWith(world, signIn, jar.request, wrong))).toBe("invalid_credentials");
    expect(jar.headers).toEqual([]);
    for (let i = 0; i < 9; i++) expect(await refusalOf(callWith(world, login, {}, wrong))).toBe("invalid_credentials");
    expect(await refusalOf(enter())).toBe("rate_limited");
    world.clock.advance(15 * 60_000);
    expect((await enter()).user_id).toBe(org.admin.id);
  });
});

describe("signing out", () => {
  it("ends the session and clears the cookie", async () => {
    const { cookie, session_id } = await enter();
    const jar = cookieJar();
    expect(await callWith(world, signOut, { ...jar.request, cookie }, {})).toEqual({ success: true });
    expect(jar.headers).toEqual(["quittance_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"]);
    expect(await isLive(cookie)).toBe(false);
    expect(await sessionRow(session_id)).toMatchObject({ status: "ended", endReason: "user_logout", revokedTokens: 1 });
    expect(await refusalOf(callWith(world, signOut, { cookie }, {}))).toBe("unauthorized");
  });

  it("refuses access tokens, whose sessions another operation ends", async () => {
    const { access_token } = await signInAs(world, org.member);
    expect(await refusalOf(callWith(world, signOut, bearer(access_token), {}))).toBe("insufficient_permissions");
    expect((await callWith(world, invalidateSession, bearer(access_token), {})).success).toBe(true);
  });
});

describe("the cookie", () => {
  const https = { appUrl: "https://pay.example.com", dashboardSessionMaxMs: 604_800_000 };
  const http = { appUrl: "http://localhost:3000", dashboardSessionMaxMs: 604_800_000 };

  it("is bound to host and https if the app uses https", () => {
    expect(sessionCookie(https, "x")).toBe(
      "__Host-quittance_session=x; Path=/; Max-Age=604800; HttpOnly; SameSite=Lax; Secure",
    );
    expect(sessionCookie(https, null)).toContain("__Host-quittance_session=; Path=/; Max-Age=0;");
    expect(sessionCookieName(http)).toBe("quittance_session");
  });

  it("is read only under its exact name, and only if it is unique", () => {
    expect(readCookie(sessionCookieName(http), "a=1; quittance_session=x; b=2")).toBe("x");
    expect(readCookie(sessionCookieName(https), "quittance_session=x")).toBeNull();
    expect(readCookie(sessionCookieName(http), "quittance_session=x; quittance_session=y")).toBeNull();
    expect(readCookie(sessionCookieName(http), "other_quittance_session=x; c=%")).toBeNull();
    expect(readCookie(sessionCookieName(http), null)).toBeNull();
  });
});

describe("the cookie's token", () => {
  it("is random: no key derives it from the database", async () => {
    const { cookie, session_id } = await enter();
    const row = await sessionRow(session_id);
    const { keys } = world.runtime;
    const parts = ["cookie", session_id, row?.nonce ?? "", 0, 0] as const;
    const derived = keys.all.map(({ id }) => mintToken("cookie", deriveBytes(keys, id, "session token", ...parts)));
    expect(derived).not.toContain(cookie);
  });
});
