// Sign-in throttling: guessing is bounded for everyone, and no stranger locks out a user who knows the password.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { auditEntries, knownDevices, throttles, users } from "@/db/tables";
import { writeCounts } from "@/server/domains/records/refused-calls";
import { Places } from "@/server/fairness/places";
import { Pressure } from "@/server/fairness/pressure";
import { addressBucketOf } from "@/server/fairness/throttle";
import type { CallRequest } from "@/server/kit/context";
import { addressBlock } from "@/server/kit/peer";
import { isOutdated } from "@/server/secrets/password";
import { callWith, cookieJar, givePassword, password } from "@/test/signing-in";
import { anotherProcess, openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { login } from "./operations/login";
import { signIn } from "./operations/sign-in";

const minute = 60_000;
const day = 24 * 60 * minute;

let world: World;
let org: TestOrganization;
let nextAddress = 0;

const addressOf = (host: number) => `10.${(nextAddress >> 8) & 255}.${nextAddress & 255}.${host}`;
const home = () => ({ ip: addressOf(1) });
const away = (host = 66) => ({ ip: addressOf(host) });
const tryLogin = (given: string, request: Partial<CallRequest> = home(), more: { device_id?: string } = {}) =>
  callWith(world, login, request, { email: org.member.email, password: given, ...more });
const outcomeOf = async (call: Promise<unknown>): Promise<string> => call.then(() => "ok").catch(codeOf);
const codeOf = (error: unknown) => (error as { code: string }).code;
/** Sends wrong passwords for the member, `each` of them from each of several addresses. */
async function attack(addresses: number, each: number, email = org.member.email) {
  const codes: string[] = [];
  for (let host = 0; host < addresses; host++) {
    const wrong = { email, password: "wrong" };
    for (let i = 0; i < each; i++) codes.push(await refusalOf(callWith(world, login, away(100 + host), wrong)));
  }
  return codes;
}
const count = (codes: string[], code: string) => codes.filter((each) => each === code).length;

beforeAll(async () => {
  world = await openWorld({
    LOGIN_FAILURES_PER_USER: "12",
    LOGINS_PER_USER: "20",
    LOGIN_SLOWDOWN_AFTER: "1000000",
  });
});
afterAll(() => world.close());
beforeEach(async () => {
  nextAddress++;
  world.clock.advance(20 * minute);
  org = await world.organization();
  await givePassword(world, org.member);
});

describe("a stranger", () => {
  it("does not lock the user out with ten wrong passwords in a loop", async () => {
    const codes = await attack(1, 15);
    expect([count(codes, "invalid_credentials"), count(codes, "rate_limited")]).toEqual([10, 5]);
    expect(await outcomeOf(tryLogin(password))).toBe("ok");
    expect(await outcomeOf(tryLogin(password, away(100)))).toBe("rate_limited");
  });

  it("cannot guess more often than the user's limit, from any number of addresses", async () => {
    const codes = await attack(2, 10);
    expect([count(codes, "invalid_credentials"), count(codes, "rate_limited")]).toEqual([12, 8]);
    expect(await outcomeOf(tryLogin(password))).toBe("rate_limited");
    world.clock.advance(15 * minute);
    expect(await outcomeOf(tryLogin(password))).toBe("ok");
  });

  it("does not learn which users exist: unknown users are counted alike", async () => {
    const known = await attack(2, 10);
    expect(await attack(2, 10, "nobody@example.com")).toEqual(known);
  });

  it("gets at most ten of two hundred concurrent attempts verified, and a Retry-After", async () => {
    const attempts = Array.from({ length: 200 }, (_, i) => refusalOf(tryLogin(`guess ${i}`)));
    const codes = await Promise.all(attempts);
    expect([count(codes, "invalid_credentials"), count(codes, "rate_limited")]).toEqual([10, 190]);
    const error = await tryLogin(password).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "rate_limited", status: 429, headers: { "Retry-After": "900" } });
  });

  it("may fail a hundred times per address or /64 over all users; other addresses are not affected", async () => {
    const block = `2001:db8:0:${nextAddress.toString(16)}`;
    const input = (i: number) => ({ email: `user${i}@example.com`, password: "wrong" });
    const guess = (i: number) => refusalOf(callWith(world, login, { ip: `${block}::${i}` }, input(i)));
    expect(await guess(1)).toBe("invalid_credentials");
    await world.runtime.db.write(async (tx) => {
      const bucket = addressBucketOf("login_address", `${block}::1`);
      const [row] = await tx.update(throttles).set({ count: 98 }).where(eq(throttles.bucket, bucket)).returning();
      expect(row?.resetsAt).toBe(world.clock.now() + 15 * minute);
    });
    expect([await guess(2), await guess(3), await guess(4)]).toEqual([
      ...["invalid_credentials", "invalid_credentials", "rate_limited"],
    ]);
    expect(await outcomeOf(tryLogin(password))).toBe("ok");
  });
});

describe("a device that the user has signed in from", () => {
  /** A browser that keeps its device cookie. */
  const browser = () => {
    const jar = cookieJar();
    const enter = (given: string, request: Partial<CallRequest> = away(), email = org.member.email) => {
      const device = jar.value("quittance_device");
      return outcomeOf(callWith(world, signIn, { ...request, ...jar.request, device }, { email, password: given }));
    };
    return { jar, enter };
  };

  it("has its own bucket, so it gets in after strangers have exhausted the others", async () => {
    const { jar, enter } = browser();
    expect(await enter(password)).toBe("ok");
    expect(jar.headers[0]).toMatch(/^quittance_device=qtdv_\w{49}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/);
    await attack(2, 10);
    expect(await outcomeOf(tryLogin(password))).toBe("rate_limited");
    expect(await enter(password)).toBe("ok");
    for (let i = 0; i < 10; i++) expect(await enter("wrong")).toBe("invalid_credentials");
    expect(await enter(password)).toBe("rate_limited");
  });

  it("is known for each user of the browser, and for no other", async () => {
    const { jar, enter } = browser();
    await givePassword(world, org.other);
    await enter(password);
    await enter(password, away(), org.other.email);
    const stolen = { device: jar.value("quittance_device") };
    const wrong = { email: org.admin.email, password: "wrong" };
    for (let i = 0; i < 10; i++) await refusalOf(callWith(world, signIn, { ...away(7), ...stolen }, wrong));
    expect(await refusalOf(callWith(world, signIn, { ...away(7), ...stolen }, wrong))).toBe("rate_limited");
    await attack(2, 10);
    await attack(2, 10, org.other.email);
    expect(await enter(password)).toBe("ok");
    expect(await enter(password, away(), org.other.email)).toBe("ok");
  });

  it("is forgotten after 400 days, and once ten newer devices exist", async () => {
    const [first, second] = [browser(), browser()];
    await first.enter(password);
    world.clock.advance(399 * day);
    await first.enter(password);
    world.clock.advance(399 * day);
    await attack(2, 10);
    expect(await first.enter(password)).toBe("ok");
    for (let i = 0; i < 10; i++) {
      world.clock.advance(1);
      expect(await outcomeOf(callWith(world, signIn, { ...away() }, { email: org.member.email, password }))).toBe(
        "rate_limited",
      );
    }
    world.clock.advance(15 * minute);
    for (let i = 0; i < 10; i++) {
      world.clock.advance(1);
      expect(await browser().enter(password)).toBe("ok");
    }
    const rows = await world.runtime.db.read.$count(knownDevices, eq(knownDevices.userId, org.member.id));
    expect(rows).toBe(10);
    world.clock.advance(15 * minute);
    await second.enter(password);
    await attack(2, 10);
    expect(await first.enter(password)).toBe("rate_limited");
    expect(await second.enter(password)).toBe("ok");
    world.clock.advance(400 * day);
    await attack(2, 10);
    expect(await second.enter(password)).toBe("rate_limited");
  });

  it("is identified on the API by device_id and address block, for thirty days", async () => {
    const phone = { device_id: "phone" };
    expect(await outcomeOf(tryLogin(password, home(), phone))).toBe("ok");
    await attack(2, 10);
    expect(await outcomeOf(tryLogin(password, home(), phone))).toBe("ok");
    expect(await outcomeOf(tryLogin(password, away(), phone))).toBe("rate_limited");
    expect(await outcomeOf(tryLogin(password, home(), { device_id: "other" }))).toBe("rate_limited");
    world.clock.advance(30 * day);
    await attack(2, 10);
    expect(await outcomeOf(tryLogin(password, home(), phone))).toBe("rate_limited");
  });
});

describe("successful sign-ins", () => {
  it("are limited per user in fifteen minutes, and do not count as failures", async () => {
    for (let i = 0; i < 20; i++) expect(await outcomeOf(tryLogin(password))).toBe("ok");
    const error = await tryLogin(password).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "rate_limited", status: 429, headers: { "Retry-After": "900" } });
    for (let i = 0; i < 12; i++) expect(await outcomeOf(tryLogin(password))).toBe("rate_limited");
    world.clock.advance(15 * minute);
    expect(await outcomeOf(tryLogin(password))).toBe("ok");
  });
});

describe("one address", () => {
  it("takes at most eight places in the password queue; attempts without one do not count as failures", async () => {
    const narrow: World = await anotherProcess(world);
    const runtime = { ...narrow.runtime, passwords: new Places({ perCaller: 8, inAll: 1000 }) };
    const guess = (word: string) => {
      const input = { email: `crowd${nextAddress}@example.com`, password: `a guess of the crowd: ${word}` };
      return refusalOf(callWith({ ...narrow, runtime }, login, home(), input));
    };
    const held = Array.from({ length: 7 }, () => runtime.passwords.take(addressBlock(home().ip)));
    expect(await guess("the eighth at once")).toBe("invalid_credentials");
    held.push(runtime.passwords.take(addressBlock(home().ip)));
    expect(await guess("the ninth at once")).toBe("rate_limited");
    for (const release of held) release?.();
    expect(await guess("one after the others")).toBe("invalid_credentials");
    const bucket = addressBucketOf("login_address", home().ip);
    const [row] = await world.runtime.db.read.select().from(throttles).where(eq(throttles.bucket, bucket));
    expect(row?.count).toBe(2);
    await narrow.close();
  });
});

describe("failures from many addresses", () => {
  it("slow unknown devices down for a while, and lock no one out", async () => {
    const pressure = new Pressure(20);
    expect(await pressure.delayFor("198.51.100.1")).toBe(0);
    await pressure.note("2001:db8:1::1");
    await pressure.note("2001:db8:1:ffff::1");
    expect(await pressure.delayFor("2001:db8:1:77::5")).toBe(1000);
    expect(await pressure.delayFor("2001:db8:2::1")).toBe(0);
    for (let i = 0; i < 18; i++) await pressure.note(`198.51.100.${i}`);
    expect(await pressure.delayFor("203.0.113.1")).toBe(1000);
    expect(await pressure.delayFor(null)).toBe(1000);
  });

  it("delay sign-ins from unknown devices, but not from known ones", async () => {
    const under = await anotherProcess(world);
    const phone = { device_id: "phone" };
    await tryLogin(password, home(), phone);
    const runtime = { ...under.runtime, pressure: new Pressure(1) };
    await runtime.pressure.note("198.51.100.1");
    const timed = async (more: { device_id?: string }) => {
      const startedAt = performance.now();
      await callWith({ ...under, runtime }, login, home(), { email: org.member.email, password, ...more });
      return performance.now() - startedAt;
    };
    expect(await timed({})).toBeGreaterThan(950);
    const known = Math.min(await timed(phone), await timed(phone), await timed(phone));
    expect(known).toBeLessThan(950);
    await under.close();
  });
});

describe("a hash with old parameters", () => {
  it("is renewed at the next sign-in with the correct password", async () => {
    const { hashSync } = await import("@node-rs/argon2");
    const old = hashSync(password, { algorithm: 2, memoryCost: 9216, timeCost: 4, parallelism: 1 });
    const stored = async () => {
      const [row] = await world.runtime.db.read.select().from(users).where(eq(users.id, org.member.id));
      return row?.passwordHash ?? "";
    };
    await world.runtime.db.write(async (tx) => {
      await tx.update(users).set({ passwordHash: old }).where(eq(users.id, org.member.id));
    });
    expect(await outcomeOf(tryLogin("wrong"))).toBe("invalid_credentials");
    expect(await stored()).toBe(old);
    expect(await outcomeOf(tryLogin(password))).toBe("ok");
    expect(isOutdated(await stored())).toBe(false);
    expect(await outcomeOf(tryLogin(password))).toBe("ok");
  });
});

describe("audit entries of refused sign-ins", () => {
  it("are written one by one up to a bound, and counted beyond it", async () => {
    world.clock.advance(minute - (world.clock.now() % minute));
    const from = world.clock.now();
    await attack(1, 40);
    const rows = async (actorType: "anonymous" | "system") =>
      (await world.runtime.db.read.select().from(auditEntries).where(eq(auditEntries.actorType, actorType))).filter(
        ({ createdAt }) => createdAt >= from,
      );
    const entries = await rows("anonymous");
    expect(entries.map(({ detail }) => detail.outcome)).toEqual(Array(10).fill("invalid_credentials"));
    world.clock.advance(minute);
    for (const host of [7, 8]) {
      await refusalOf(callWith(world, login, away(host), { email: "nobody@example.com", password: "wrong" }));
    }
    await writeCounts(world.runtime);
    const counts = (await rows("system")).filter(({ detail }) => detail.minute === new Date(from).toISOString());
    expect(counts).toMatchObject([{ operation: "calls.refused", detail: { count: 30 }, ip: addressOf(100) }]);
  });
});
