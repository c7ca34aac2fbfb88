// Retrieving a transaction: only for callers who see its account or a transfer's destination.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Actor } from "@/server/kit/context";
import { create, earn } from "@/test/money";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import type { Transaction } from "../schema";
import { getTransaction } from "./get";

let world: World;
let org: TestOrganization;
let payment: Transaction;
let transfer: Transaction;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
  payment = await earn(world, { ...org.member, actor: org.admin.actor }, 100);
  const money = { destination_account_id: org.other.accountId, amount: 40, currency: "EUR" };
  transfer = await create(world, org.member.actor, { type: "transfer", ...money });
});
afterAll(() => world.close());

const get = (actor: Actor, id: string) => world.call(getTransaction, actor, { transaction_id: id });
const key = (accountId: string | null): Actor => ({
  type: "api_key",
  keyId: world.id("key"),
  organizationId: org.id,
  scopes: ["transactions:read"],
  accountId,
});

describe("200", () => {
  it("the owner, an admin and an organization's API key get the same answer as at creation", async () => {
    for (const actor of [org.member.actor, org.admin.actor, key(null), key(org.member.accountId)]) {
      expect(await get(actor, payment.transaction_id)).toEqual(payment);
      expect(await get(actor, transfer.transaction_id)).toEqual(transfer);
    }
  });

  it("a transfer is incoming for callers who see only its destination", async () => {
    for (const actor of [org.other.actor, key(org.other.accountId)]) {
      const seen = await get(actor, transfer.transaction_id);
      expect(seen).toEqual({ ...transfer, direction: "in", net_amount: 40 });
    }
  });
});

describe("400", () => {
  it("a transaction that the caller does not see gets the same answer as one that does not exist", async () => {
    const stranger = await world.organization();
    const refused = (actor: Actor, id: string) => refusalOf(get(actor, id));
    expect(await refused(org.other.actor, payment.transaction_id)).toBe("transaction_not_found");
    expect(await refused(key(org.other.accountId), payment.transaction_id)).toBe("transaction_not_found");
    for (const { actor } of [stranger.admin, stranger.member]) {
      expect(await refused(actor, payment.transaction_id)).toBe("transaction_not_found");
      expect(await refused(actor, transfer.transaction_id)).toBe("transaction_not_found");
    }
    for (const id of [world.id("txn"), "txn_1", "nonsense", org.member.accountId]) {
      expect(await refused(org.admin.actor, id)).toBe("transaction_not_found");
    }
  });
});
