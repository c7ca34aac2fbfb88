// PATCH /v1/accounts with `owner_user_id`: accounts that lost their owner get another, and who acts for which account.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accounts, users } from "@/db/tables";
import { closeAccountOf, removeUserOf } from "@/test/closing";
import { apiKey } from "@/test/people";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { createAccount } from "./create";
import { updateAccount } from "./update";

let world: World;
let org: TestOrganization;
let foreign: TestOrganization;
beforeAll(async () => {
  world = await openWorld({ ACCOUNTS_PER_OWNER: "2" });
  org = await world.organization();
  foreign = await world.organization("Globex");
});
afterAll(() => world.close());

const give = (account_id: string, owner_user_id: string, actor = org.admin.actor) =>
  world.call(updateAccount, actor, { account_id, owner_user_id });
const actsFor = async (id: string) => {
  const [row] = await world.runtime.db.read.select().from(users).where(eq(users.id, id));
  return row?.accountId;
};
const second = (owner_user_id: string) =>
  world.call(createAccount, org.admin.actor, {
    ...{ account_type: "business", account_name: "Second", email: "second@example.com", owner_user_id },
  });

describe("200", () => {
  it("gives an account that lost its owner another one, and ends the pause of its pay links", async () => {
    const leaver = await world.user(org.id);
    await removeUserOf(world, org.admin.actor, leaver.id);
    const heir = await world.user(org.id);
    expect(await give(leaver.accountId, heir.id)).toMatchObject({ owner_user_id: heir.id });
    const { read } = world.runtime.db;
    const [row] = await read.select().from(accounts).where(eq(accounts.id, leaver.accountId));
    expect(row).toMatchObject({ ownerUserId: heir.id, orphanedAt: null });
    expect(await actsFor(heir.id)).toBe(heir.accountId);
  });

  it("lets both users act for an open account of theirs afterwards, if they own one", async () => {
    const from = await world.user(org.id);
    const to = await world.user(org.id, "operator");
    await closeAccountOf(world, org.admin.actor, to.accountId);
    const spare = await second(from.id);
    await give(from.accountId, to.id);
    expect([await actsFor(from.id), await actsFor(to.id)]).toEqual([spare.account_id, from.accountId]);
    await give(spare.account_id, to.id);
    expect(await actsFor(from.id)).toBe(null);
  });

  it("needs a fresh sign-in in the dashboard", async () => {
    const { actor } = org.admin;
    if (actor.type !== "user") throw new Error("An admin is a user.");
    const [from, to] = [await world.user(org.id), await world.user(org.id)];
    const stale = { ...actor, sessionKind: "cookie", authenticatedAt: world.clock.now() - 600_001 } as const;
    expect(await refusalOf(give(from.accountId, to.id, stale))).toBe("reauthentication_required");
    const fresh = { ...stale, authenticatedAt: world.clock.now() };
    expect(await give(from.accountId, to.id, fresh)).toMatchObject({ owner_user_id: to.id });
  });

  it("works for an API key with a scope of its own", async () => {
    const [from, to] = [await world.user(org.id), await world.user(org.id)];
    const plain = await apiKey(world, org.id, ["accounts:write"]);
    expect(await refusalOf(give(from.accountId, to.id, plain.actor))).toBe("insufficient_permissions");
    const key = await apiKey(world, org.id, ["accounts:write", "accounts:owner"]);
    expect(await give(from.accountId, to.id, key.actor)).toMatchObject({ owner_user_id: to.id });
  });

  it("changes nothing for the same owner", async () => {
    const owner = await world.user(org.id);
    await give(owner.accountId, owner.id);
    expect(await actsFor(owner.id)).toBe(owner.accountId);
  });
});

describe("400", () => {
  it("user_not_found for a user who is removed, unknown or of another organization", async () => {
    const owner = await world.user(org.id);
    const removed = await world.user(org.id);
    await removeUserOf(world, org.admin.actor, removed.id);
    for (const id of [removed.id, foreign.member.id, world.id("usr"), "nonsense"]) {
      expect(await refusalOf(give(owner.accountId, id))).toBe("user_not_found");
    }
  });

  it("too_many_accounts for a member who owns the maximum", async () => {
    const owner = await world.user(org.id);
    const rich = await world.user(org.id);
    await second(rich.id);
    expect(await refusalOf(give(owner.accountId, rich.id))).toBe("too_many_accounts");
  });

  it("account_closed for a closed account", async () => {
    const owner = await world.user(org.id);
    await closeAccountOf(world, org.admin.actor, owner.accountId);
    expect(await refusalOf(give(owner.accountId, org.other.id))).toBe("account_closed");
  });
});

describe("at the same time", () => {
  it("one of two new owners remains, and a new owner who is removed meanwhile owns nothing", async () => {
    for (let round = 0; round < 5; round++) {
      const owner = await world.user(org.id);
      const [one, two] = [await world.user(org.id, "viewer"), await world.user(org.id, "viewer")];
      await Promise.allSettled([
        give(owner.accountId, one.id),
        give(owner.accountId, two.id),
        removeUserOf(world, org.admin.actor, two.id),
        removeUserOf(world, org.admin.actor, owner.id),
      ]);
      const [row] = await world.runtime.db.read.select().from(accounts).where(eq(accounts.id, owner.accountId));
      expect([one.id, null]).toContain(row?.ownerUserId);
      expect(row?.orphanedAt === null).toBe(row?.ownerUserId !== null);
    }
  });
});
