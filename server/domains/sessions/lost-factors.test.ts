// Removing lost second factors: by admins on the dashboard, for a user of the organization, and told to all admins.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { auditEntries, mails, recoveryCodes, totpFactors } from "@/db/tables";
import { removeLost } from "@/server/domains/factors/operations/remove-lost";
import { listUsers } from "@/server/domains/users/operations/list";
import type { Actor } from "@/server/kit/context";
import { giveTotp, onDashboard } from "@/test/factors";
import { callWith, givePassword, password } from "@/test/signing-in";
import { openWorld, refusalOf, type TestUser, type World } from "@/test/world";
import { login } from "./operations/login";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const noticesOf = async ({ id }: TestUser): Promise<string[]> => {
  const rows = await world.runtime.db.read.select().from(mails).where(eq(mails.userId, id));
  return rows.map(({ subject }) => subject).sort();
};

it("lets the user sign in with the password alone, and tells the user and every admin", async () => {
  const org = await world.organization();
  const second = await world.user(org.id, "admin");
  await givePassword(world, org.member);
  await giveTotp(world, org.member);
  const admin = onDashboard(world, org.admin);
  const filtered = async (mfa_enabled: "true" | "false") =>
    (await world.call(listUsers, org.admin.actor, { mfa_enabled })).data.map((user) => user.user_id);
  expect(await filtered("true")).toEqual([org.member.id]);
  await world.call(removeLost, admin, { user_id: org.member.id });
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
