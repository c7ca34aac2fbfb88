// What will need attention soon: as many as the lists have that the home page links to.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accounts, users } from "@/db/tables";
import { listAccounts } from "@/server/domains/accounts/operations/list";
import { listPaymentRequests } from "@/server/domains/payments/operations/list";
import { filtersOfTab } from "@/server/domains/payments/status-tabs";
import type { Actor } from "@/server/kit/context";
import { dayMs, hourMs } from "@/server/kit/limits";
import type { PaymentQuery } from "@/test/filters";
import { ask, payWith } from "@/test/payer";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { overviewAttention } from "./attention";

let world: World;
let org: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
});
afterAll(() => world.close());

const attention = (actor: Actor) => world.call(overviewAttention, actor, {});
const listedCount = async (tab: "open" | "to_capture", ends_before: string) =>
  (await world.call(listPaymentRequests, org.admin.actor, { ...filtersOfTab[tab], ends_before } as PaymentQuery)).data
    .length;

describe("payment requests", () => {
  it("count while they expire or lapse within two days, for those who see them", async () => {
    const { actor } = org.member;
    const product = { type: "product", amount: 500, currency: "EUR" } as const;
    const at = (ms: number) => new Date(world.clock.now() + ms).toISOString();
    for (const ms of [hourMs, dayMs, 3 * dayMs]) await ask(world, actor, { ...product, expires_at: at(ms) });
    const held = await ask(world, actor, { ...product, capture_method: "manual" });
    await payWith(world, held.token);
    expect(await attention(actor)).toMatchObject({ lapsing: 0, expiring: 2 });
    expect(await attention(org.other.actor)).toMatchObject({ lapsing: 0, expiring: 0 });

    world.clock.advance(5 * dayMs + hourMs);
    await ask(world, actor, { ...product, expires_at: at(dayMs) });
    const soon = await attention(org.admin.actor);
    // The first three have expired although no job has said so.
    expect(soon).toMatchObject({ lapsing: 1, expiring: 1 });
    expect(await listedCount("to_capture", soon.ends_before)).toBe(1);
    expect(await listedCount("open", soon.ends_before)).toBe(1);
    world.clock.advance(2 * dayMs);
    expect(await attention(org.admin.actor)).toMatchObject({ lapsing: 0, expiring: 0 });
  });
});

describe("accounts and admins", () => {
  it("count where an owner was removed or a second factor is missing, for those who see all", async () => {
    const { db } = world.runtime;
    const { id, accountId } = org.other;
    expect(await attention(org.admin.actor)).toMatchObject({ orphaned_accounts: 0, admins_without_factor: 1 });
    await db.write(async (tx) => {
      const orphaned = { ownerUserId: null, orphanedAt: world.clock.now() };
      await tx.update(accounts).set(orphaned).where(eq(accounts.id, accountId));
      await tx.update(users).set({ mfaEnabled: true }).where(eq(users.id, org.admin.id));
      await tx.update(users).set({ role: "admin" }).where(eq(users.id, id));
    });
    expect(await attention(org.admin.actor)).toMatchObject({ orphaned_accounts: 1, admins_without_factor: 1 });
    expect(await attention(org.member.actor)).toMatchObject({ orphaned_accounts: 0, admins_without_factor: 0 });
    const orphaned = await world.call(listAccounts, org.admin.actor, { orphaned: true });
    expect(orphaned.data.map((account) => account.account_id)).toEqual([accountId]);
    const others = await world.call(listAccounts, org.admin.actor, { orphaned: false });
    expect(others.data.map((account) => account.account_id)).not.toContain(accountId);
    expect(others.data.length).toBeGreaterThan(0);
  });
});
