// Setting up an authenticator app, new recovery codes, and removing both, on the dashboard only.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { mails, recoveryCodes, totpFactors, users } from "@/db/tables";
import type { Actor } from "@/server/kit/context";
import { giveTotp, onDashboard, shownCode } from "@/test/factors";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { ownFactors, renewCodes } from "./own";
import { confirmTotp, removeTotp, setUpTotp } from "./totp";

const minute = 60_000;
let world: World;
let org: TestOrganization;

const rowsOf = (table: typeof recoveryCodes | typeof totpFactors) =>
  world.runtime.db.read.select().from(table).where(eq(table.userId, org.member.id));
const isEnabled = async () => {
  const [row] = await world.runtime.db.read.select().from(users).where(eq(users.id, org.member.id));
  return row?.mfaEnabled;
};
const subjects = async () => {
  const rows = await world.runtime.db.read.select().from(mails).where(eq(mails.toAddress, org.member.email));
  return rows.map(({ subject }) => subject);
};

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.advance(20 * minute);
  org = await world.organization();
});

describe("setting up", () => {
  it("shows the key once, and takes effect with the first correct code", async () => {
    const actor = onDashboard(world, org.member);
    const { key, qr } = await world.call(setUpTotp, actor, {});
    expect(key).toMatch(/^[A-Z2-7]{32}$/);
    expect(qr).toMatch(/^<svg [^>]+><path [^>]+\/><path stroke="#000" d="M[^"]+"\/><\/svg>$/);
    expect(JSON.stringify(await rowsOf(totpFactors))).not.toContain(key);
    expect(await isEnabled()).toBe(false);

    expect(await refusalOf(world.call(confirmTotp, actor, { code: "12345" }))).toBe("invalid_otp");
    const { recovery_codes: codes } = await world.call(confirmTotp, actor, {
      code: (await shownCode(world, org.member.id)).replace(/...$/, " $&"),
    });
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(JSON.stringify(await rowsOf(recoveryCodes))).not.toContain(codes[0]);
    expect(await isEnabled()).toBe(true);
    expect(await world.call(ownFactors, actor, {})).toMatchObject({
      totp_since: new Date(world.clock.now()).toISOString(),
      recovery_codes_left: 10,
    });
    expect(await subjects()).toEqual(["Your second factors for Acme were changed"]);
  });

  it("expires after a quarter of an hour, and begins again with another key", async () => {
    const first = await world.call(setUpTotp, onDashboard(world, org.member), {});
    world.clock.advance(15 * minute);
    const actor = onDashboard(world, org.member);
    const late = { code: await shownCode(world, org.member.id) };
    expect(await refusalOf(world.call(confirmTotp, actor, late))).toBe("totp_setup_expired");
    expect((await world.call(setUpTotp, actor, {})).key).not.toBe(first.key);
    const code = await shownCode(world, org.member.id);
    await world.call(confirmTotp, actor, { code });
    expect(await refusalOf(world.call(confirmTotp, actor, { code }))).toBe("totp_setup_expired");
  });

  it("allows five wrong codes in a quarter of an hour", async () => {
    const actor = onDashboard(world, org.member);
    await world.call(setUpTotp, actor, {});
    for (let i = 0; i < 5; i++)
      expect(await refusalOf(world.call(confirmTotp, actor, { code: "x" }))).toBe("invalid_otp");
    const code = await shownCode(world, org.member.id);
    expect(await refusalOf(world.call(confirmTotp, actor, { code }))).toBe("rate_limited");
    expect(await isEnabled()).toBe(false);
  });

  it("needs a dashboard session with a fresh sign-in", async () => {
    const stale = { ...onDashboard(world, org.member), authenticatedAt: world.clock.now() - 10 * minute - 1 } as Actor;
    const attempts = (actor: Actor) => [
      () => world.call(setUpTotp, actor, {}),
      () => world.call(confirmTotp, actor, { code: "123456" }),
      () => world.call(removeTotp, actor, {}),
      () => world.call(renewCodes, actor, {}),
    ];
    for (const call of attempts(org.member.actor)) expect(await refusalOf(call())).toBe("insufficient_permissions");
    for (const call of attempts(stale)) expect(await refusalOf(call())).toBe("reauthentication_required");
  });
});

describe("recovery codes", () => {
  it("are replaced as a whole, and only with a second factor", async () => {
    const actor = onDashboard(world, org.member);
    expect(await refusalOf(world.call(renewCodes, actor, {}))).toBe("mfa_not_set_up");
    const before = await giveTotp(world, org.member);
    const { recovery_codes: after } = await world.call(renewCodes, actor, {});
    expect(after).toHaveLength(10);
    expect(after.filter((code) => before.includes(code))).toEqual([]);
    expect(await rowsOf(recoveryCodes)).toHaveLength(10);
  });
});

describe("removing", () => {
  it("leaves neither key nor codes, and tells the user", async () => {
    await giveTotp(world, org.member);
    const actor = onDashboard(world, org.member);
    expect(await world.call(removeTotp, actor, {})).toEqual({ removed: true });
    expect([await rowsOf(totpFactors), await rowsOf(recoveryCodes), await isEnabled()]).toEqual([[], [], false]);
    expect(await subjects()).toHaveLength(2);
    expect(await refusalOf(world.call(removeTotp, actor, {}))).toBe("mfa_not_set_up");
  });
});
