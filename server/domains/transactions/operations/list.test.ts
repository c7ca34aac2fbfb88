// The list of transactions: its filters one by one, who sees what, and that pages lose and repeat nothing.
import { eq } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accounts } from "@/db/tables";
import type { Actor } from "@/server/kit/context";
import { type CreateInput, create, earn, expectSoundLedger } from "@/test/money";
import { ask } from "@/test/payer";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import type { Transaction } from "../schema";
import { sourcesOf } from "../search";
import { listTransactions } from "./list";

let world: World;
let org: TestOrganization;
let elsewhere: TestOrganization;
/** All transactions of the organization as its admin sees them, newest first. */
let everything: Transaction[];

type Query = Parameters<typeof world.call<typeof listTransactions.input, typeof listTransactions.output>>[2];
const list = (actor: Actor, query: Query = {}) => world.call(listTransactions, actor, query);

/** The whole list, page by page. */
async function all(actor: Actor, query: Query = {}): Promise<Transaction[]> {
  const rows: Transaction[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(actor, { limit: 100, ...query, cursor });
    rows.push(...page.data);
    cursor = page.next_cursor ?? undefined;
    expect(page.has_more).toBe(cursor !== undefined);
  } while (cursor !== undefined);
  return rows;
}

const ids = (rows: Transaction[]) => rows.map((row) => row.transaction_id);

const names = ["Ada Lovelace", "Zoë Ångström", "李 小龍", "ADA Byron"];
const tiers = ["gold", "silver"];

/** Transactions of all kinds at several times, in two currencies, on three accounts. */
async function populate(): Promise<void> {
  const { member, other, admin } = org;
  for (let i = 0; i < 24; i++) {
    const user = [member, other, admin][i % 3] ?? member;
    const paid = await create(world, user.actor, {
      type: "payment",
      amount: 1000 + i * 10,
      currency: i % 4 === 0 ? "USD" : "EUR",
      reference: i % 2 === 0 ? `INV-${i}/2026` : null,
      description: i % 3 === 0 ? `Consulting in March, part ${i}` : null,
      metadata: { tier: tiers[i % 2] ?? "", batch: String(i % 5) },
      customer: {
        name: names[i % 4],
        email: `Customer.${i % 6}@Example.com`,
        reference: `C-${i % 7}`,
        metadata: { country: i % 2 ? "DE" : "FR" },
      },
    });
    if (i % 5 === 0) {
      await create(world, user.actor, { type: "refund", parent_transaction_id: paid.transaction_id, amount: 1 + i });
    }
    if (i % 3 === 0) world.clock.advance(3_600_000);
  }
  const { payment } = await ask(world, member.actor, { amount: 70 });
  const request = { payment_id: payment.payment_id, amount: 70, currency: "EUR" };
  const paid = await create(world, admin.actor, { type: "payment", ...request });
  await create(world, admin.actor, { type: "refund", parent_transaction_id: paid.transaction_id });
  const others: CreateInput[] = [
    {
      type: "transfer",
      account_id: member.accountId,
      destination_account_id: other.accountId,
      amount: 5,
      currency: "EUR",
    },
    {
      type: "transfer",
      account_id: other.accountId,
      destination_account_id: admin.accountId,
      amount: 6,
      currency: "EUR",
    },
    {
      type: "transfer",
      account_id: admin.accountId,
      destination_account_id: member.accountId,
      amount: 7,
      currency: "EUR",
    },
    { type: "credit", account_id: member.accountId, amount: 8, currency: "EUR", metadata: { tier: "gold" } },
    {
      type: "adjustment",
      account_id: other.accountId,
      direction: "in",
      reason: "rounding",
      amount: 9,
      currency: "EUR",
    },
  ];
  for (const input of others) await create(world, admin.actor, input);
}

beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
  elsewhere = await world.organization();
  await populate();
  await earn(world, elsewhere.member, 100);
  everything = await all(org.admin.actor);
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

describe("200: filters", () => {
  it("find each match once, even if a status is named twice", async () => {
    for (const status of [
      ["succeeded", "succeeded"],
      ["expired", "succeeded", "succeeded"],
    ] as const) {
      const { data, has_more } = await list(org.admin.actor, { status: [...status], limit: 100 });
      const expected = ids(everything.filter((row) => new Set<string>(status).has(row.status)));
      expect([ids(data), has_more]).toEqual([expected, false]);
    }
  });

  it("find words by their prefixes in any case, and nothing else", async () => {
    const found = async (q: string) => (await list(org.admin.actor, { q, limit: 100 })).data.length;
    expect(await found("LOVELACE ada")).toBe(8);
    expect(await found("lovelace by")).toBe(0);
    expect(await found("ovelace")).toBe(0);
    expect(await found("ad%")).toBe(15);
    expect(await found("ad_")).toBe(15);
    expect(await found("inv 22")).toBe(1);
    expect(await found("ångström")).toBe(7);
    expect(await found(everything[0]?.transaction_id ?? "")).toBe(1);
    expect(await found(everything[0]?.transaction_id.slice(0, 20) ?? "")).toBe(0);
  });

  it("find a transaction once, however many of its words have the prefix", async () => {
    const { member } = await world.organization();
    const texts = ["zebra", "zebra zebu", "zero zest zone"];
    for (const description of texts) {
      world.clock.advance(1);
      await create(world, member.actor, { type: "payment", amount: 1, currency: "EUR", description });
    }
    const found = async (query: Query) => (await all(member.actor, query)).map(({ description }) => description);
    expect(await found({ q: "z", limit: 1 })).toEqual(texts.toReversed());
    expect(await found({ q: "z" })).toEqual(texts.toReversed());
    expect((await list(member.actor, { q: "z", include_total: true })).total_count).toBe(3);
  });

  it("find a transaction as soon as its creation was answered", async () => {
    const fresh = await world.organization();
    for (let i = 0; i < 5; i++) {
      const metadata = { unique: `m-${i}` };
      const row = await create(world, fresh.member.actor, { type: "payment", amount: 1, currency: "EUR", metadata });
      expect(ids((await list(fresh.member.actor, { metadata })).data)).toEqual([row.transaction_id]);
    }
  });
});

describe("200: visibility", () => {
  it("a member sees the transactions of its own accounts, and transfers into them as incoming", async () => {
    const { member } = org;
    const own = everything.filter((row) => [row.account_id, row.destination_account_id].includes(member.accountId));
    const seen = await all(member.actor);
    expect(ids(seen)).toEqual(ids(own));
    expect(ids(await all(member.actor, { account_id: member.accountId }))).toEqual(ids(own));
    const incoming = seen.filter((row) => row.account_id !== member.accountId);
    expect(incoming).toMatchObject([{ type: "transfer", direction: "in", amount: 7, net_amount: 7 }]);
    expect(seen.filter((row) => row.type === "transfer" && row.direction === "out")).toHaveLength(1);
    expect((await list(member.actor, { include_total: true })).total_count).toBe(own.length);
  });

  it("a member of two accounts sees a transfer between them once, as outgoing", async () => {
    const { member: user, other: second, admin } = await world.organization();
    await world.runtime.db.write(async (tx) => {
      await tx.update(accounts).set({ ownerUserId: user.id }).where(eq(accounts.id, second.accountId));
    });
    await earn(world, { ...user, actor: admin.actor }, 10);
    const [from, to] = [user.accountId, second.accountId];
    const money = { account_id: from, destination_account_id: to, amount: 4, currency: "EUR" };
    await create(world, user.actor, { type: "transfer", ...money });
    const transfers = { type: ["transfer"] } satisfies Query;
    expect((await list(user.actor, transfers)).data).toMatchObject([{ direction: "out", net_amount: -4 }]);
    expect((await list(user.actor, { ...transfers, account_id: to })).data).toMatchObject([{ direction: "in" }]);
    expect((await list(user.actor, { ...transfers, include_total: true })).total_count).toBe(1);
  });

  it("no caller sees another organization's transactions, by any id", async () => {
    const { actor } = elsewhere.admin;
    expect(await all(actor)).toHaveLength(1);
    const [row] = everything;
    expect(await all(actor, { q: row?.transaction_id })).toEqual([]);
    const [refund] = everything.filter((one) => one.parent_transaction_id && one.payment_id);
    expect(await all(actor, { payment_id: refund?.payment_id ?? "" })).toEqual([]);
    expect(await all(actor, { parent_transaction_id: refund?.parent_transaction_id ?? "" })).toEqual([]);
    expect(await all(actor, { metadata: { tier: "gold" } })).toEqual([]);
    expect(await all(actor, { q: "ada" })).toEqual([]);
  });

  it("an API key that is bound to an account sees that account's transactions", async () => {
    const { member } = org;
    const key = {
      type: "api_key",
      keyId: world.id("key"),
      organizationId: org.id,
      accountId: member.accountId,
    } as const;
    const own = everything.filter((row) => [row.account_id, row.destination_account_id].includes(member.accountId));
    expect(ids(await all({ ...key, scopes: ["transactions:read"] }))).toEqual(ids(own));
  });
});

describe("200: pages", () => {
  it("of any size return every row once while others are inserted", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 7 }),
        fc.constantFrom<Query>({}, { metadata: { tier: "gold" } }, { type: ["payment"] }, { q: "ada" }),
        fc.constantFrom("admin" as const, "member" as const),
        async (limit, query, who) => {
          const fresh = await world.organization();
          const grow = (i: number) =>
            create(world, fresh.member.actor, {
              type: "payment",
              amount: i + 1,
              currency: "EUR",
              metadata: { tier: "gold" },
              customer: { name: "Ada" },
            });
          for (let i = 0; i < 12; i++) {
            await grow(i);
            if (i % 5 === 0) world.clock.advance(1);
          }
          const { actor } = fresh[who];
          const atStart = ids(await all(actor, query));
          const seen: string[] = [];
          let cursor: string | null = null;
          do {
            const page: Awaited<ReturnType<typeof list>> = await list(actor, {
              ...query,
              limit,
              ...(cursor && { cursor }),
            });
            expect(page.data.length).toBeLessThanOrEqual(limit);
            seen.push(...ids(page.data));
            cursor = page.next_cursor;
            world.clock.advance(1);
            await grow(100);
          } while (cursor !== null);
          expect(atStart).toHaveLength(12);
          expect(new Set(seen).size).toBe(seen.length);
          expect(seen.filter((id) => atStart.includes(id))).toEqual(atStart);
        },
      ),
      { numRuns: 8 },
    );
  });

  it("are counted in windows, also when everything matches", async () => {
    const { id: organizationId, admin, member } = await world.organization();
    for (let n = 0; n < 3; n++) {
      world.clock.advance(1);
      await create(world, member.actor, { type: "payment", amount: 1, currency: "EUR" });
    }
    const second = (await list(admin.actor)).data[1];
    for (const accounts of [null, [member.accountId]]) {
      const search = { organizationId, accounts, filters: {}, now: world.clock.now() };
      const [source] = await sourcesOf(world.runtime.db.read, search);
      expect(await source?.edge?.(null, 2)).toMatchObject({ id: second?.transaction_id });
    }
  });

  it("have 20 rows by default, newest first, and a count only on demand", async () => {
    const page = await list(org.admin.actor);
    expect(page.data).toHaveLength(20);
    expect(page).toMatchObject({ has_more: true, total_count: null });
    expect(ids(page.data)).toEqual(ids(everything.slice(0, 20)));
    const keys = everything.map((row) => row.created_at + row.transaction_id);
    expect(keys).toEqual([...keys].sort().reverse());
  });
});

describe("400", () => {
  const refused = (query: unknown) => refusalOf(list(org.admin.actor, query as Query));

  it.each<[string, unknown]>([
    ["an unknown filter", { state: "paid" }],
    ["an unknown status", { status: ["paid"] }],
    ["an unknown type", { type: ["gift"] }],
    ["no status at all", { status: [] }],
    ["a bad date", { created_from: "last week" }],
    ["a date that does not exist", { created_to: "2026-02-30" }],
    ["an unknown currency", { currency: "XXQ" }],
    ["a negative amount", { amount_min: -1 }],
    ["a page size of zero", { limit: 0 }],
    ["a page size above the limit", { limit: 101 }],
    ["words without a letter", { q: "%%" }],
    ["a bad metadata key", { metadata: { "a b": "c" } }],
  ])("%s is an invalid request", async (_fault, query) => {
    expect(await refused(query)).toBe("invalid_request");
  });

  it("a cursor is valid only for the list that issued it", async () => {
    const { next_cursor: cursor } = await list(org.admin.actor, { limit: 1, type: ["payment"] });
    expect(await refused({ limit: 1, cursor: "garbage" })).toBe("invalid_cursor");
    expect(await refused({ limit: 1, cursor })).toBe("invalid_cursor");
    expect(await refused({ limit: 1, type: ["refund"], cursor })).toBe("invalid_cursor");
    expect(await refused({ limit: 1, type: ["payment"], cursor: `${cursor}A` })).toBe("invalid_cursor");
    const second = await list(org.admin.actor, { limit: 50, type: ["payment"], cursor: cursor ?? "" });
    expect(second.data.length).toBeGreaterThan(1);
  });

  it("account_not_found for an account that the caller does not see", async () => {
    for (const account_id of [world.id("acct"), elsewhere.admin.accountId, "nonsense"]) {
      expect(await refused({ account_id })).toBe("account_not_found");
    }
    const foreign = { account_id: org.other.accountId };
    expect(await refusalOf(list(org.member.actor, foreign))).toBe("account_not_found");
  });
});
