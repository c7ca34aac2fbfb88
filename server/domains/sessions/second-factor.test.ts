// Signing in with a second factor: on the API, on the dashboard and after a reset link. Each code works once.
import { generateHOTP } from "@oslojs/otp";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { mails, recoveryCodes, totpFactors, users } from "@/db/tables";
import { confirmTotp, setUpTotp } from "@/server/domains/factors/operations/totp";
import { stepOf } from "@/server/domains/factors/totp";
import { dayMs, limits } from "@/server/kit/limits";
import type { ServerKeys } from "@/server/process/server-key";
import { unseal } from "@/server/secrets/seal";
import { removeUserOf } from "@/test/closing";
import { giveTotp, onDashboard, shownCode } from "@/test/factors";
import { callWith, cookieJar, givePassword, password } from "@/test/signing-in";
import { anotherProcess, openedWith, openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { login } from "./operations/login";
import { resetPassword, viewReset } from "./operations/reset-password";
import { signIn } from "./operations/sign-in";
import { createResetLink } from "./user-command";

const minute = 60_000;
const next = "an entirely new passphrase";
let world: World;
let org: TestOrganization;
let codes: string[];

const enter = (otp?: string, given = password, on = world) =>
  callWith(on, login, {}, { email: org.member.email, password: given, ...(otp !== undefined && { otp }) });
const enterPage = (otp?: string) =>
  callWith(world, signIn, {}, { email: org.member.email, password, ...(otp !== undefined && { otp }) });
const shown = (stepsLater = 0) => shownCode(world, org.member.id, stepsLater);

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.advance(20 * minute);
  org = await world.organization();
  await givePassword(world, org.member);
  codes = await giveTotp(world, org.member);
});

describe("a sign-in with a second factor", () => {
  it("asks for the code only after the correct password", async () => {
    expect(await refusalOf(enter(await shown(), "wrong"))).toBe("invalid_credentials");
    expect(await refusalOf(enter())).toBe("mfa_required");
    expect(await refusalOf(enter(""))).toBe("mfa_required");
    expect(await refusalOf(enter("000000"))).toBe("invalid_otp");
    expect(await refusalOf(enterPage())).toBe("mfa_required");
    expect((await enter(await shown())).access_token).toMatch(/^qtat_/);
    world.clock.advance(30_000);
    expect((await enterPage(await shown())).user_id).toBe(org.member.id);
  });

  it("accepts one step of drift each way, and rejects a used step or an older one", async () => {
    world.clock.advance(2 * minute);
    expect(await refusalOf(enter(await shown(2)))).toBe("invalid_otp");
    expect(await refusalOf(enter(await shown(-2)))).toBe("invalid_otp");
    await enter(await shown(-1));
    await enter(await shown(1));
    for (const step of [-1, 0, 1]) expect(await refusalOf(enter(await shown(step)))).toBe("invalid_otp");
  });

  it("opens one session when a code is used many times at once, in two processes", async () => {
    const second = await anotherProcess(world);
    for (const code of [await shown(), codes[0] ?? ""]) {
      const tries = [world, second, world, second].map((on) => enter(code, password, on));
      const results = await Promise.allSettled(tries);
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    }
    await second.close();
  });

  it("allows five wrong codes in a quarter of an hour, however they are sent", async () => {
    const second = await anotherProcess(world);
    for (const on of [world, second, world]) expect(await refusalOf(enter("000000", password, on))).toBe("invalid_otp");
    expect(await refusalOf(enterPage("AAAA-AAAA-AAAA-AAAA"))).toBe("invalid_otp");
    expect(await refusalOf(enterPage("no code at all"))).toBe("invalid_otp");
    for (const on of [world, second]) expect(await refusalOf(enter(await shown(), password, on))).toBe("rate_limited");
    expect(await refusalOf(enter(codes[0]))).toBe("rate_limited");
    await second.close();
    world.clock.advance(15 * minute);
    await enter(codes[0]);
  });

  it("does not count correct codes", async () => {
    for (let i = 0; i < 7; i++) {
      await enter(await shown());
      world.clock.advance(30_000);
    }
  });
});

describe("a thief who knows only the password", () => {
  const makeLink = async () =>
    new URL(await createResetLink(world.runtime, org.member.email)).pathname.split("/").at(-1) ?? "";
  const reset = (token: string, otp: string) => callWith(world, resetPassword, {}, { token, new_password: next, otp });
  const warnings = async () => {
    const rows = await world.runtime.db.read.select().from(mails).where(eq(mails.toAddress, org.member.email));
    return rows.filter(({ subject }) => subject === "Someone may know your password for Acme").length;
  };
  /** Sends wrong codes from another address each time, until the limit stops them. */
  const attack = async () => {
    for (let i = 0; i < 5; i++) {
      const wrong = { email: org.member.email, password, otp: "000000", device_id: `thief ${i}` };
      expect(await refusalOf(callWith(world, login, { ip: `198.51.100.${i}` }, wrong))).toBe("invalid_otp");
    }
    expect(await refusalOf(enter(codes[9]))).toBe("rate_limited");
  };

  it("does not lock out a browser that the user has signed in from, which has five tries of its own", async () => {
    const jar = cookieJar();
    await callWith(world, signIn, jar.request, { email: org.member.email, password, otp: await shown() });
    const device = jar.value("quittance_device");
    const known = (otp: string, email = org.member.email) =>
      callWith(world, signIn, { device }, { email, password, otp });
    await attack();
    for (let i = 0; i < 4; i++) expect(await refusalOf(known("000000"))).toBe("invalid_otp");
    await known(codes[0] ?? "");
    expect(await refusalOf(known("000000"))).toBe("invalid_otp");
    expect(await refusalOf(known(codes[1] ?? ""))).toBe("rate_limited");

    // To another user the browser is unknown.
    await givePassword(world, org.other);
    const [code = ""] = await giveTotp(world, org.other);
    for (let i = 0; i < 5; i++) {
      const wrong = { email: org.other.email, password, otp: "000000" };
      expect(await refusalOf(callWith(world, login, {}, wrong))).toBe("invalid_otp");
    }
    expect(await refusalOf(known(code, org.other.email))).toBe("rate_limited");
  });

  it("does not lock the user out of a reset link, which allows five wrong codes until it expires", async () => {
    const token = await makeLink();
    await attack();
    for (let i = 0; i < 4; i++) expect(await refusalOf(reset(token, "000000"))).toBe("invalid_otp");
    world.clock.advance(16 * minute);
    expect(await refusalOf(reset(token, "000000"))).toBe("invalid_otp");
    expect(await refusalOf(reset(token, codes[0] ?? ""))).toBe("rate_limited");
    await reset(await makeLink(), codes[0] ?? "");
  });

  it("does not keep the user from replacing the authenticator app", async () => {
    const actor = onDashboard(world, org.member);
    await attack();
    await world.call(setUpTotp, actor, {});
    const confirm = () => refusalOf(world.call(confirmTotp, actor, { code: "000000" }));
    for (let i = 0; i < 5; i++) expect(await confirm()).toBe("invalid_otp");
    expect(await confirm()).toBe("rate_limited");
  });

  it("is reported to the user, once each time that the tries are used up", async () => {
    for (let i = 0; i < 4; i++) expect(await refusalOf(enter("000000"))).toBe("invalid_otp");
    expect(await warnings()).toBe(0);
    expect(await refusalOf(enter("000000"))).toBe("invalid_otp");
    for (let i = 0; i < 3; i++) expect(await refusalOf(enter("000000"))).toBe("rate_limited");
    expect(await warnings()).toBe(1);
    const token = await makeLink();
    for (let i = 0; i < 5; i++) expect(await refusalOf(reset(token, "000000"))).toBe("invalid_otp");
    expect(await warnings()).toBe(1);
    world.clock.advance(15 * minute);
    const tries = Array.from({ length: 8 }, () => refusalOf(enter("000000")));
    expect((await Promise.all(tries)).filter((code) => code === "invalid_otp")).toHaveLength(5);
    expect(await warnings()).toBe(2);
  });

  it("has at most 480 tries a day, or 840 with access to the user's mail", () => {
    const byPassword = (dayMs / (limits.signInWindowMinutes * minute)) * limits.wrongCodes;
    const byMail = 24 * limits.resets.mailsPerHour * limits.wrongCodes;
    expect([byPassword, byPassword + byMail]).toEqual([480, 840]);
  });
});

describe("after the server key was rotated", () => {
  const newer = { id: "0badcafe", key: Buffer.alloc(32, 9) };
  const withKeys = (all: ServerKeys["all"]) =>
    openedWith(world, { ...world.runtime, keys: { current: newer, all } as ServerKeys });

  it("a correct code re-encrypts the app's secret under the new key, so that the old key can be removed", async () => {
    const both = withKeys([newer, ...world.runtime.keys.all]);
    const only = withKeys([newer]);
    const [now, next] = [await shown(), await shown(1)];
    expect(await refusalOf(enter("000000", password, both))).toBe("invalid_otp");
    expect(await refusalOf(enter(now, password, only))).toBe("invalid_otp");
    await enter(now, password, both);
    expect(await refusalOf(enter(now, password, only))).toBe("invalid_otp");
    world.clock.advance(30_000);
    await enter(next, password, only);
  });

  it("rejects codes of an app whose key is gone, and accepts recovery codes", async () => {
    const code = await shown();
    await world.runtime.db.write(async (tx) => {
      const lost = { secret: sql`'0badcafe' || substr(${totpFactors.secret}, 9)` };
      await tx.update(totpFactors).set(lost).where(eq(totpFactors.userId, org.member.id));
    });
    const log = vi.spyOn(world.runtime.log, "error");
    for (let i = 0; i < 4; i++) expect(await refusalOf(enter(code))).toBe("invalid_otp");
    expect(log).toHaveBeenCalledWith(
      { userId: org.member.id, keyId: "0badcafe" },
      expect.stringContaining("SECRET_KEY"),
    );
    log.mockRestore();
    await enter(codes[0]);
    expect(await refusalOf(enter(code))).toBe("invalid_otp");
    expect(await refusalOf(enter(codes[1]))).toBe("rate_limited");
  });
});

describe("replacing the app", () => {
  const row = async () => {
    const [found] = await world.runtime.db.read.select().from(totpFactors).where(eq(totpFactors.userId, org.member.id));
    return found as typeof totpFactors.$inferSelect;
  };
  /** The code that the new app shows. */
  const shownByNext = async () => {
    const secret = unseal(
      world.runtime.keys,
      { purpose: "totp", ownerId: org.member.id },
      (await row()).nextSecret ?? "",
    );
    return generateHOTP(secret, BigInt(stepOf(world.clock.now())), 6);
  };

  it("keeps the earlier one until the new one has proved its key, and the recovery codes", async () => {
    const actor = onDashboard(world, org.member);
    const { secret, confirmedAt } = await row();
    await world.call(setUpTotp, actor, {});
    expect(await row()).toMatchObject({ secret, confirmedAt });
    await enter(await shown());
    // The new app's codes count from its own first step, although the earlier app has used up the current one.
    const code = await shownByNext();
    const tries = await Promise.allSettled([1, 2, 3].map(() => world.call(confirmTotp, actor, { code })));
    expect(tries.filter(({ status }) => status === "fulfilled")).toMatchObject([{ value: { recovery_codes: [] } }]);
    expect(await row()).toMatchObject({ nextSecret: null, nextCreatedAt: null, confirmedAt: world.clock.now() });
    expect(await refusalOf(world.call(confirmTotp, actor, { code }))).toBe("totp_setup_expired");
    expect(await refusalOf(enter(code))).toBe("invalid_otp");
    world.clock.advance(30_000);
    await enter(await shown());
    await enter(codes[0]);
  });

  it("expires after a quarter of an hour, and a code of the earlier app replaces nothing", async () => {
    const { secret } = await row();
    await world.call(setUpTotp, onDashboard(world, org.member), {});
    const wrong = { code: await shown() };
    expect(await refusalOf(world.call(confirmTotp, onDashboard(world, org.member), wrong))).toBe("invalid_otp");
    world.clock.advance(15 * minute);
    const late = { code: await shownByNext() };
    expect(await refusalOf(world.call(confirmTotp, onDashboard(world, org.member), late))).toBe("totp_setup_expired");
    expect(await row()).toMatchObject({ secret });
  });
});

it("rejects codes of an app whose sealed secret was changed, and accepts recovery codes", async () => {
  const code = await shown();
  for (const secret of [sql`${totpFactors.secret} || 'AAAA'`, sql`substr(${totpFactors.secret}, 1, 12)`]) {
    await world.runtime.db.write(async (tx) => {
      await tx.update(totpFactors).set({ secret }).where(eq(totpFactors.userId, org.member.id));
    });
    const log = vi.spyOn(world.runtime.log, "error");
    expect(await refusalOf(enter(code))).toBe("invalid_otp");
    expect(log).toHaveBeenCalledWith({ userId: org.member.id }, expect.stringContaining("was changed"));
    log.mockRestore();
  }
  await enter(codes[0]);
});

describe("a recovery code", () => {
  it("works once, in any spelling, and the user is told", async () => {
    const [first = "", second = ""] = codes;
    await enter(first);
    expect(await refusalOf(enter(first))).toBe("invalid_otp");
    await enterPage(` ${second.toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l")}`);
    const rows = await world.runtime.db.read.select().from(mails).where(eq(mails.toAddress, org.member.email));
    const used = rows.filter(({ subject }) => subject === "A recovery code was used for Acme");
    expect(used).toHaveLength(2);
    expect(await world.runtime.db.read.$count(recoveryCodes, eq(recoveryCodes.userId, org.member.id))).toBe(8);
  });

  it("belongs to one user", async () => {
    await givePassword(world, org.other);
    await giveTotp(world, org.other);
    const foreign = { email: org.other.email, password, otp: codes[0] ?? "" };
    expect(await refusalOf(callWith(world, login, {}, foreign))).toBe("invalid_otp");
  });

  it("does not replace the authenticator app on the API for a user who has none", async () => {
    // As for a user whose only factor is a passkey.
    await world.runtime.db.write(async (tx) => {
      await tx.delete(totpFactors).where(eq(totpFactors.userId, org.member.id));
    });
    expect(await refusalOf(enter(codes[0]))).toBe("mfa_required");
    expect((await enterPage(codes[0])).user_id).toBe(org.member.id);
  });
});

describe("a reset link", () => {
  const makeLink = async (given: { removesFactors?: boolean } = {}) => {
    const url = await createResetLink(world.runtime, org.member.email, given);
    return new URL(url).pathname.split("/").at(-1) ?? "";
  };
  const reset = (token: string, otp?: string) =>
    callWith(world, resetPassword, {}, { token, new_password: next, ...(otp !== undefined && { otp }) });

  it("does not replace the second factor", async () => {
    const token = await makeLink();
    expect(await callWith(world, viewReset, {}, { token })).toMatchObject({ state: "open", needs_code: true });
    expect(await refusalOf(reset(token))).toBe("mfa_required");
    expect(await refusalOf(reset(token, "000000"))).toBe("invalid_otp");
    await enter(codes[1]);
    await reset(token, await shown());
    await enter(codes[2], next);
  });

  it("of the command line can remove the factors of someone who lost them", async () => {
    const token = await makeLink({ removesFactors: true });
    expect(await callWith(world, viewReset, {}, { token })).toMatchObject({ needs_code: false });
    await reset(token);
    await enter(undefined, next);
  });
});

it("removing a user removes the factors", async () => {
  await removeUserOf(world, org.admin.actor, org.member.id);
  for (const table of [totpFactors, recoveryCodes]) {
    expect(await world.runtime.db.read.$count(table, eq(table.userId, org.member.id))).toBe(0);
  }
  const [row] = await world.runtime.db.read.select().from(users).where(eq(users.id, org.member.id));
  expect(row?.mfaEnabled).toBe(false);
});
