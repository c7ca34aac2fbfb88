// Reset links: each works once, for half an hour, until the credentials change. Viewing one changes nothing.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { auditEntries, sessions, tables, users } from "@/db/tables";
import { CommandError } from "@/server/process/command-error";
import { removeUserOf } from "@/test/closing";
import { bearer, callWith, password, signInAs } from "@/test/signing-in";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { createResetLink, describeUsers } from "../user-command";
import { changePassword } from "./change-password";
import { login } from "./login";
import { resetPassword, viewReset } from "./reset-password";

const minute = 60_000;
const next = "an entirely new passphrase";

let world: World;
let org: TestOrganization;

const makeLink = async (email = org.member.email) => {
  const url = new URL(await createResetLink(world.runtime, email));
  expect(url.origin).toBe("https://pay.example.com");
  expect(url.pathname).toMatch(/^\/reset-password\/qtpw_[0-9A-Za-z]{49}$/);
  return url.pathname.split("/").at(-1) ?? "";
};
const stateOf = async (token: string) => (await callWith(world, viewReset, {}, { token })).state;
const reset = (token: string, new_password = next) => callWith(world, resetPassword, {}, { token, new_password });

beforeAll(async () => {
  world = await openWorld({ APP_URL: "https://pay.example.com" });
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.advance(20 * minute);
  org = await world.organization();
});

describe("a reset link", () => {
  it("sets a new password once and ends every session; viewing it changes nothing", async () => {
    const open = [await signInAs(world, org.member), await signInAs(world, org.member)];
    const token = await makeLink();
    for (let i = 0; i < 3; i++) {
      expect(await callWith(world, viewReset, {}, { token })).toEqual({
        ...{ state: "open", email: org.member.email, user_id: org.member.id, needs_code: false },
      });
    }
    expect(await reset(token)).toEqual({ user_id: org.member.id });
    const rows = await world.runtime.db.read.select().from(sessions).where(eq(sessions.userId, org.member.id));
    expect(rows.map(({ endReason }) => endReason)).toEqual(open.map(() => "password_changed"));
    expect(await callWith(world, viewReset, {}, { token })).toMatchObject({ state: "used", email: null });
    expect(await refusalOf(reset(token, `${next} again`))).toBe("reset_link_invalid");
    await callWith(world, login, {}, { email: org.member.email, password: next });
    expect(await refusalOf(callWith(world, login, {}, { email: org.member.email, password }))).toBe(
      "invalid_credentials",
    );
    const audits = await world.runtime.db.read
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.targetId, org.member.id));
    expect(audits.map(({ operation }) => operation).sort()).toEqual([
      "sessions.login",
      "users.resetPassword",
      "users.reset_link",
    ]);
  });

  it("expires after half an hour", async () => {
    const token = await makeLink();
    world.clock.advance(30 * minute - 1);
    expect(await stateOf(token)).toBe("open");
    world.clock.advance(1);
    expect(await stateOf(token)).toBe("expired");
    expect(await refusalOf(reset(token))).toBe("reset_link_invalid");
  });

  it("is invalid once a newer one exists", async () => {
    const [first, second] = [await makeLink(), await makeLink()];
    expect([await stateOf(first), await stateOf(second)]).toEqual(["expired", "open"]);
    expect(await refusalOf(reset(first))).toBe("reset_link_invalid");
    await reset(second);
  });

  it("is invalid once the password or the address changes or the user is removed", async () => {
    const { access_token } = await signInAs(world, org.member);
    const byPassword = await makeLink();
    const input = { user_id: org.member.id, current_password: password, new_password: next };
    await callWith(world, changePassword, bearer(access_token), input);
    expect(await stateOf(byPassword)).toBe("expired");

    const byAddress = await makeLink();
    await world.runtime.db.write(async (tx) => {
      const moved = { email: "moved@example.com", emailKey: "moved@example.com" };
      await tx.update(users).set(moved).where(eq(users.id, org.member.id));
    });
    expect(await stateOf(byAddress)).toBe("expired");

    const byRemoval = await makeLink("moved@example.com");
    await removeUserOf(world, org.admin.actor, org.member.id);
    expect(await stateOf(byRemoval)).toBe("expired");
    expect(await refusalOf(reset(byRemoval))).toBe("reset_link_invalid");
  });

  it("sets one password when it is used many times concurrently", async () => {
    const token = await makeLink();
    const results = await Promise.allSettled(Array.from({ length: 6 }, (_, i) => reset(token, `${next} ${i}`)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("refuses a weak password and stays valid", async () => {
    const token = await makeLink();
    expect(await refusalOf(reset(token, "quittance1"))).toBe("weak_password");
    expect(await stateOf(token)).toBe("open");
  });

  it("cannot be guessed or read from the database", async () => {
    const token = await makeLink();
    expect(await stateOf("")).toBe("expired");
    expect(await stateOf(token.replace(/.$/, (last) => (last === "0" ? "1" : "0")))).toBe("expired");
    for (const table of Object.values(tables)) {
      expect(JSON.stringify(await world.runtime.db.read.select().from(table)).includes(token.slice(5, 40))).toBe(false);
    }
  });
});

describe("the command line", () => {
  it("finds the user by address in any case, and reports an unknown address", async () => {
    await makeLink(org.member.email.toUpperCase());
    await expect(createResetLink(world.runtime, "nobody@example.com")).rejects.toThrow(CommandError);
  });

  it("lists every active user with id, organization, role and address", async () => {
    await removeUserOf(world, org.admin.actor, org.other.id);
    const lines: string[] = [];
    for await (const line of describeUsers(world.runtime)) lines.push(line);
    const own = lines.filter((line) => line.includes(org.id));
    expect(own).toHaveLength(2);
    const admin = own.find((line) => line.startsWith(org.admin.id));
    expect(admin).toBe(`${org.admin.id}  ${org.id}  admin     never${" ".repeat(21)}${org.admin.email}`);
  });
});
