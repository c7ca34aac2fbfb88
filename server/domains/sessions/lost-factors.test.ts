// Removing lost second factors: by admins on the dashboard, for a user of the organization, and told to all admins.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditEntries, mails, recoveryCodes, sessions, totpFactors, users } from "@/db/tables";
import { listUsers } from "@/server/domains/users/operations/list";
import type { Actor } from "@/server/kit/context";
import { giveTotp, onDashboard } from "@/test/factors";
import { runJobs } from "@/test/jobs";
import { type MailServer, startMailServer } from "@/test/mail-server";
import { linksTo, tokenIn } from "@/test/mailed-links";
import { callWith, givePassword, password, signInAs } from "@/test/signing-in";
import { openedWith, openWorld, refusalOf, type TestUser, type World } from "@/test/world";
import { login } from "./operations/login";
import { removeLost } from "./operations/remove-lost-factors";
import { resetPassword } from "./operations/reset-password";

let server: MailServer;
let world: World;
/** The same world without a mail server. */
let silent: World;
beforeAll(async () => {
  server = await startMailServer();
  world = await openWorld({ SMTP_URL: server.url, MAIL_FROM: "mail@example.com" });
  silent = openedWith(world, { ...world.runtime, env: { ...world.runtime.env, mail: null } });
});
afterAll(async () => {
  await world.close();
  await server.close();
});

const noticesOf = async ({ id }: TestUser): Promise<string[]> => {
  const rows = await world.runtime.db.read.select().from(mails).where(eq(mails.userId, id));
  return rows.map(({ subject }) => subject).sort();
};

it("without a mail server lets the user sign in with the password alone, and tells the user and every admin", async () => {
  const org = await world.organization();
  const second = await world.user(org.id, "admin");
  await givePassword(world, org.member);
  await giveTotp(world, org.member);
  const admin = onDashboard(world, org.admin);
  const filtered = async (mfa_enabled: "true" | "false") =>
    (await world.call(listUsers, org.admin.actor, { mfa_enabled })).data.map((user) => user.user_id);
  expect(await filtered("true")).toEqual([org.member.id]);
  await silent.call(removeLost, admin, { user_id: org.member.id });
  expect(await filtered("true")).toEqual([]);
  expect((await filtered("false")).length).toBe(4);
  await callWith(world, login, {}, { email: org.member.email, password });
  for (const table of [totpFactors, recoveryCodes]) {
    expect(await world.runtime.db.read.$count(table, eq(table.userId, org.member.id))).toBe(0);
  }
  const changed = "Your second factors for Acme were changed";
  const removed = "The second factors of a user of Acme were removed";
  expect(await noticesOf(org.member)).toEqual([changed, changed]);
  for (const each of [org.admin, second]) expect(await noticesOf(each)).toEqual([removed]);
  const entries = await world.runtime.db.read
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.operation, "factors.removeLost"));
  expect(entries).toMatchObject([{ actorId: org.admin.id, targetId: org.member.id, detail: { removed: "all" } }]);
  expect(await refusalOf(world.call(removeLost, admin, { user_id: org.member.id }))).toBe("mfa_not_set_up");
});

describe("with a mail server", () => {
  const enter = (user: TestUser, given: string) => callWith(world, login, {}, { email: user.email, password: given });
  const lose = async (user: TestUser, admin: TestUser) => {
    await signInAs(world, user);
    await giveTotp(world, user);
    await world.call(removeLost, onDashboard(world, admin), { user_id: user.id });
    const rows = await world.runtime.db.read.select().from(sessions).where(eq(sessions.userId, user.id));
    expect(rows).toMatchObject([{ endReason: "admin_action", endedBy: admin.id }]);
    await runJobs(world);
  };

  it("ends the user's sessions, and makes the password useless until the user sets another by the mailed link", async () => {
    const org = await world.organization();
    await lose(org.member, org.admin);
    expect(await refusalOf(enter(org.member, password))).toBe("invalid_credentials");
    const new_password = "an entirely new passphrase";
    // The mails of the removal are delivered at once, in any order.
    const link = linksTo(server, org.member.email).find((url) => url?.includes("/reset-password/"));
    const token = tokenIn(link);
    await callWith(world, resetPassword, {}, { token, new_password });
    await enter(org.member, new_password);
  });

  it("keeps the password of a user whose address was never verified", async () => {
    const org = await world.organization();
    await world.runtime.db.write(async (tx) => {
      await tx.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, org.member.id));
    });
    await lose(org.member, org.admin);
    await enter(org.member, password);
  });
});

it("is refused to everyone else, from a token, after an old sign-in, and for strangers", async () => {
  const org = await world.organization();
  const foreign = await world.organization("Globex");
  await giveTotp(world, org.member);
  const call = (actor: Actor) => refusalOf(world.call(removeLost, actor, { user_id: org.member.id }));
  expect(await call(onDashboard(world, org.other))).toBe("insufficient_permissions");
  expect(await call(onDashboard(world, org.member))).toBe("insufficient_permissions");
  expect(await call(org.admin.actor)).toBe("insufficient_permissions");
  const stale = { ...onDashboard(world, org.admin), authenticatedAt: world.clock.now() - 600_001 } as Actor;
  expect(await call(stale)).toBe("reauthentication_required");
  expect(await call(onDashboard(world, foreign.admin))).toBe("user_not_found");
  const own = world.call(removeLost, onDashboard(world, org.admin), { user_id: org.admin.id });
  expect(await refusalOf(own)).toBe("insufficient_permissions");
});
