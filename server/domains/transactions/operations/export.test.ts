// The export of transactions: the same rows as the list, to the same callers, and it stops when the reader disconnects.
import { and, eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type * as z from "zod";
import { DatabaseUnavailable } from "@/db/errors";
import { accounts, auditEntries, transactions } from "@/db/tables";
import { updateUser } from "@/server/domains/onboarding/operations/update-user";
import { invalidateSession } from "@/server/domains/sessions/operations/invalidate";
import type { Actor, CallRequest } from "@/server/kit/context";
import { byteStream } from "@/server/kit/download";
import { limits } from "@/server/kit/limits";
import { create, earn } from "@/test/money";
import { callWith, newPerson, type Person } from "@/test/people";
import { performAs } from "@/test/perform-as";
import { callRequest, openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { exportColumns } from "../export-columns";
import { transaction } from "../schema";
import * as store from "../search-store";
import { exportTransactions } from "./export";
import { listTransactions } from "./list";

let world: World;
let org: TestOrganization;
let elsewhere: TestOrganization;

type Query = z.input<typeof exportTransactions.input>;

const start = (actor: Actor, query: Query = {}, request: Partial<CallRequest> = {}) =>
  world.call(exportTransactions, actor, query, request);

async function text(actor: Actor, query: Query = {}): Promise<string> {
  return collect((await start(actor, query)).chunks);
}

async function records(actor: Actor, query: Query = {}): Promise<unknown[]> {
  const lines = (await text(actor, { ...query, format: "ndjson" })).split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}

/** All chunks as one text. */
async function collect(chunks: AsyncIterable<string>): Promise<string> {
  let whole = "";
  for await (const chunk of chunks) whole += chunk;
  return whole;
}

const list = async (actor: Actor, query: z.input<typeof listTransactions.input> = {}) =>
  (await world.call(listTransactions, actor, { ...query, limit: 100 })).data;

/** Inserts many rows directly. Several share a creation time, so that pages end between rows of the same time. */
async function seed(count: number): Promise<void> {
  const createdAt = world.clock.now();
  const rows = Array.from({ length: count }, (_, i) => ({
    id: world.id("txn"),
    organizationId: org.id,
    accountId: org.other.accountId,
    type: "payment" as const,
    status: "succeeded" as const,
    direction: "in" as const,
    amount: i + 1,
    currency: "JPY",
    metadata: {},
    effectiveAt: createdAt,
    livemode: false,
    createdAt: createdAt - Math.floor(i / 400),
    updatedAt: createdAt,
  }));
  await world.runtime.db.write(async (tx) => {
    for (let i = 0; i < count; i += 250) await tx.insert(transactions).values(rows.slice(i, i + 250));
  });
}

beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
  elsewhere = await world.organization();
  const paid = await create(world, org.member.actor, {
    type: "payment",
    amount: 1250,
    currency: "EUR",
    reference: "=1+1",
    description: 'a "b", c\nd',
    customer: { name: "@Ada", email: "+ada@example.com", metadata: { tier: "gold" } },
    metadata: { order: "7" },
  });
  world.clock.advance(1_000);
  await create(world, org.member.actor, {
    type: "refund",
    parent_transaction_id: paid.transaction_id,
    amount: 250,
  });
  await earn(world, org.other, 100, "USD");
  await earn(world, elsewhere.member, 999);
});
afterAll(() => world.close());

it("an export writes one audit entry with the caller and the parameters' names, not their values", async () => {
  const { db } = world.runtime;
  const requestId = "req_export";
  const query: Query = { format: "ndjson", customer_email: "ada@example.com" };
  const { chunks } = await start(org.admin.actor, query, { requestId, ip: "203.0.113.99" });
  const entries = () => db.read.select().from(auditEntries).where(eq(auditEntries.requestId, requestId));
  const before = await entries();
  expect(before).toMatchObject([
    {
      operation: "transactions.export",
      actorType: "user",
      actorId: org.admin.id,
      targetId: org.id,
      organizationId: org.id,
      ip: "203.0.113.99",
      detail: { parameters: ["customer_email", "format"] },
    },
  ]);
  await collect(chunks);
  expect(await entries()).toEqual(before);
});

it("an export writes no audit entry for a HEAD request, which returns no data", async () => {
  const requestId = "req_head";
  const { chunks } = await start(org.admin.actor, {}, { requestId, isHead: true });
  await collect(chunks);
  expect(await world.runtime.db.read.$count(auditEntries, eq(auditEntries.requestId, requestId))).toBe(0);
});

it("an export returns no data if it cannot write its audit entry, and frees its place", async () => {
  const { runtime } = world;
  const write = async () => {
    throw new DatabaseUnavailable(new Error("gone"));
  };
  const broken = { ...runtime, db: { ...runtime.db, write } };
  const call = performAs(exportTransactions, {}, org.admin.actor, callRequest(broken), broken);
  expect(await refusalOf(call)).toBe("unavailable");
  expect(runtime.downloads.count).toBe(0);
});

describe("200", () => {
  it("has a column for every wire field, nested ones flattened", () => {
    const nested = { payment_method: 5, failure: 2, customer: 4 } as Record<string, number>;
    const names = Object.keys(transaction.shape);
    for (const name of names) {
      const parts = exportColumns.filter((column) => column.startsWith(`${name}_`) && !names.includes(column));
      if (nested[name] === undefined) expect(exportColumns).toContain(name);
      else expect([name, parts.length]).toEqual([name, nested[name]]);
    }
  });

  it("is named after the period that its filters name", async () => {
    const nameOf = async (query: Query) => {
      const file = await start(org.member.actor, query);
      file.close();
      return file.file.fileName;
    };
    const from = "2026-10-01T00:00:00Z";
    const to = "2026-11-01T00:00:00Z";
    expect(await nameOf({ created_from: from, created_to: to })).toBe("transactions-2026-10.csv");
    expect(await nameOf({ created_from: from })).toMatch(/^transactions-2026-10-01_2026-11-\d\d\.csv$/);
  });

  it("writes a line for each transaction, newest first, in full", async () => {
    const [refund, paid] = await list(org.member.actor);
    const file = await start(org.member.actor);
    file.close();
    const { contentType, fileName } = file.file;
    expect([contentType, fileName]).toEqual(["text/csv; charset=utf-8", "transactions-2026-11-20.csv"]);
    const columns = ["transaction_id", "amount", "net_amount", "currency", "reference", "description"] as const;
    const more = ["customer_name", "customer_email", "customer_metadata", "metadata", "settled_at"] as const;
    const csv = await text(org.member.actor, { columns: [...columns, ...more] });
    expect(csv).toBe(
      [
        [...columns, ...more].join(","),
        `${refund?.transaction_id},250,-250,EUR,,"a ""b"", c\nd",'@Ada,'+ada@example.com,"{""tier"":""gold""}",{},${refund?.settled_at}`,
        `${paid?.transaction_id},1250,1250,EUR,'=1+1,"a ""b"", c\nd",'@Ada,'+ada@example.com,"{""tier"":""gold""}","{""order"":""7""}",${paid?.settled_at}`,
        "",
      ].join("\r\n"),
    );
    expect((await text(org.member.actor)).split("\r\n")[0]).toBe(exportColumns.join(","));
  });

  it("ends with columns for bookkeeping: signed amounts with decimals, the account's name, the caller's day", async () => {
    const columns = ["amount_decimal", "fee_decimal", "net_decimal", "currency", "account_name", "local_date"] as const;
    const { actor, id } = org.member;
    // It is noon in UTC.
    await world.call(updateUser, actor, { user_id: id, timezone: "Pacific/Kiritimati" });
    const name = `Account ${id.slice(-4)}`;
    const lines = (await text(actor, { columns: [...columns] })).split("\r\n");
    expect(lines).toEqual([
      columns.join(","),
      `-2.50,0.00,-2.50,EUR,${name},2026-11-21`,
      `12.50,0.00,12.50,EUR,${name},2026-11-21`,
      "",
    ]);
    const [, inUtc] = (await text(org.admin.actor, { type: ["refund"], columns: ["local_date"] })).split("\r\n");
    expect(inUtc).toBe("2026-11-20");
  });

  it("is written for the spreadsheets of a region only when asked", async () => {
    const columns = ["amount_decimal", "currency", "description"] as const;
    const csv = { type: ["payment"], columns: [...columns] } as const satisfies Query;
    expect(await text(org.member.actor, { ...csv, spreadsheet_locale: "de-AT" })).toBe(
      `\u{FEFF}${columns.join(";")}\r\n12,50;EUR;"a ""b"", c\nd"\r\n`,
    );
    expect(await text(org.member.actor, csv)).toBe(`${columns.join(",")}\r\n12.50,EUR,"a ""b"", c\nd"\r\n`);
  });

  it("names the account that a transfer goes to, if the caller sees it", async () => {
    const { admin, member, other } = await world.organization();
    await earn(world, member, 90);
    const ends = { account_id: member.accountId, destination_account_id: other.accountId };
    await create(world, member.actor, { type: "transfer", amount: 40, currency: "EUR", ...ends });
    const columns = ["net_decimal", "account_name", "destination_account_name"] as const;
    const [from, to] = [member, other].map(({ id }) => `Account ${id.slice(-4)}`);
    const rowFor = async (actor: Actor) =>
      (await text(actor, { type: ["transfer"], columns: [...columns] })).split("\r\n")[1];
    expect(await rowFor(admin.actor)).toBe(`-0.40,${from},${to}`);
    expect(await rowFor(member.actor)).toBe(`-0.40,${from},`);
    expect(await rowFor(other.actor)).toBe(`0.40,,${to}`);
  });

  it.each<[string, Query]>([
    ["all", {}],
    ["a type", { type: ["refund"] }],
    ["two statuses", { status: ["succeeded", "partially_refunded"] }],
    ["metadata", { metadata: { order: "7" } }],
    ["words", { q: "ada" }],
    ["a currency", { currency: "usd" }],
    ["nothing", { amount_min: 5_000_000 }],
  ])("of %s has the same rows as the list, for admins and members alike", async (_what, query) => {
    for (const { actor } of [org.admin, org.member, org.other, elsewhere.admin]) {
      expect(await records(actor, query)).toEqual(await list(actor, query as object));
    }
  });

  it("of selected rows leaves out those that the caller does not see", async () => {
    const all = await list(org.admin.actor);
    const chosen = all.map(({ transaction_id }) => transaction_id).slice(0, 2);
    expect(await records(org.admin.actor, { transaction_id: chosen })).toEqual(all.slice(0, 2));
    expect(await records(elsewhere.admin.actor, { transaction_id: chosen })).toEqual([]);
    const [others] = await list(org.other.actor);
    const mixed = await records(org.other.actor, { transaction_id: [...chosen, others?.transaction_id ?? ""] });
    expect(mixed).toEqual([others]);
  });

  it("starts if exactly the expected number match", async () => {
    const count = (await list(org.admin.actor, { type: ["payment"] })).length;
    expect(await records(org.admin.actor, { type: ["payment"], expected_count: count })).toHaveLength(count);
  });
});

describe("400", () => {
  it("selection_changed if more or fewer match than expected", async () => {
    for (const expected_count of [0, 2, 4]) {
      expect(await refusalOf(start(org.admin.actor, { expected_count }))).toBe("selection_changed");
    }
  });

  it("invalid_request for parameters that only the list has, and for columns without CSV", async () => {
    const queries: object[] = [
      ...[{ cursor: "x" }, { limit: 5 }, { include_total: true }, { format: "xlsx" }, { columns: ["nothing"] }],
      ...[{ format: "ndjson", spreadsheet_locale: "de" }, { spreadsheet_locale: "no language" }],
      ...[{ format: "ndjson", columns: ["amount"] }, { transaction_id: [] }, { transaction_id: Array(101).fill("x") }],
    ];
    for (const query of queries) expect(await refusalOf(start(org.admin.actor, query))).toBe("invalid_request");
  });

  it("account_not_found for an account that the caller does not see", async () => {
    const query = { account_id: org.member.accountId };
    expect(await refusalOf(start(org.other.actor, query))).toBe("account_not_found");
    expect(await refusalOf(start(elsewhere.admin.actor, query))).toBe("account_not_found");
  });
});

describe("a long export", () => {
  const query: Query = { currency: "JPY", format: "ndjson" };
  beforeAll(() => seed(2_501));

  it("loses and repeats nothing, for an admin and for the owner", async () => {
    for (const { actor } of [org.admin, org.other]) {
      const rows = (await records(actor, query)) as { transaction_id: string; amount: number; created_at: string }[];
      expect(new Set(rows.map((row) => row.transaction_id)).size).toBe(2_501);
      const sorted = rows.toSorted(
        (a, b) => b.created_at.localeCompare(a.created_at) || (a.transaction_id < b.transaction_id ? 1 : -1),
      );
      expect(rows).toEqual(sorted);
    }
  });

  it("lets other calls take turns between its parts", async () => {
    let turns = 0;
    const count = () => {
      turns++;
      others = setImmediate(count);
    };
    const { chunks } = await start(org.admin.actor, query);
    let others = setImmediate(count);
    let parts = 0;
    for await (const _ of chunks) parts++;
    clearImmediate(others);
    expect(parts).toBeGreaterThanOrEqual(26);
    expect(turns).toBeGreaterThanOrEqual(25);
  });

  it("reads no further than its reader asks, and buffers one part at most", async () => {
    const reads = vi.spyOn(store, "sourceOf");
    const { chunks } = await start(org.admin.actor, query);
    const iterator = chunks[Symbol.asyncIterator]();
    const before = reads.mock.calls.length;
    expect((await iterator.next()).value.split("\n").length).toBeLessThanOrEqual(101);
    expect(reads.mock.calls.length).toBe(before);
    await iterator.return?.();
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect(reads.mock.calls.length).toBe(before);
    reads.mockRestore();
  });

  it("is sent in small parts, however large its rows are", async () => {
    const fresh = await world.organization();
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`key-${i}`, "ß".repeat(300)]));
    for (let i = 0; i < 12; i++) {
      await create(world, fresh.member.actor, { type: "payment", amount: 1, currency: "EUR", metadata });
    }
    let rows = 0;
    for await (const chunk of (await start(fresh.member.actor, { format: "ndjson" })).chunks) {
      rows += chunk.split("\n").length - 1;
      expect(Buffer.byteLength(chunk)).toBeLessThan(128 * 1024);
    }
    expect(rows).toBe(12);
  });

  it("fails when its reader disconnects or the database fails, and then never looks complete", async () => {
    const gone = new AbortController();
    const left = await start(org.admin.actor, query, { signal: gone.signal });
    gone.abort(new Error("gone"));
    await expect(collect(left.chunks)).rejects.toThrow("gone");

    const { chunks } = await start(org.admin.actor, query);
    const broken = vi.spyOn(store, "sourceOf").mockImplementation(() => {
      throw new Error("broken");
    });
    await expect(collect(chunks)).rejects.toThrow("broken");
    broken.mockRestore();
  });

  it("is cut off rather than have more or fewer rows than expected", async () => {
    const { chunks } = await start(org.admin.actor, { ...query, expected_count: 2_501 });
    const iterator = chunks[Symbol.asyncIterator]();
    await iterator.next();
    const set = (currency: string) =>
      world.runtime.db.write((tx) =>
        tx
          .update(transactions)
          .set({ currency })
          .where(and(eq(transactions.accountId, org.other.accountId), eq(transactions.amount, 2_501))),
      );
    await set("EUR");
    const rest = async () => {
      while (!(await iterator.next()).done);
    };
    await expect(rest()).rejects.toThrow("number of matching records");
    await set("JPY");
    expect(await records(org.admin.actor, { ...query, expected_count: 2_501 })).toHaveLength(2_501);
  });
});

describe("a caller who loses access", () => {
  const fill = async (person: Person) => {
    for (let i = 0; i < 101; i++) {
      const input = { type: "payment", amount: 1, currency: "EUR", account_id: person.accountId } as const;
      await create(world, org.admin.actor, input);
    }
  };
  const begun = async (person: Person) => {
    const { chunks } = await callWith(world, exportTransactions, person.accessToken, { format: "ndjson" });
    const iterator = chunks[Symbol.asyncIterator]();
    await iterator.next();
    return iterator;
  };

  it("gets no further part after the session has ended", async () => {
    const person = await newPerson(world, org.admin.actor);
    await fill(person);
    const iterator = await begun(person);
    await callWith(world, invalidateSession, person.accessToken, {});
    await expect(iterator.next()).rejects.toThrow("no longer allowed");
  });

  it("gets no row of an account that it no longer owns", async () => {
    const person = await newPerson(world, org.admin.actor);
    await fill(person);
    const iterator = await begun(person);
    await world.runtime.db.write((tx) =>
      tx.update(accounts).set({ ownerUserId: org.other.id }).where(eq(accounts.id, person.accountId)),
    );
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });
});

describe("429", () => {
  it("rate_limited for a caller's third concurrent export, until one of them ends", async () => {
    const { actor } = org.member;
    const first = await start(actor);
    const second = await start(actor);
    expect(await refusalOf(start(actor))).toBe("rate_limited");
    expect(await refusalOf(start(org.other.actor, { account_id: org.member.accountId }))).toBe("account_not_found");
    await collect(first.chunks);
    const third = await start(actor);
    expect(await refusalOf(start(actor))).toBe("rate_limited");
    second.close();
    (await start(actor)).close();
    third.close();
  });

  it("an export whose reader disconnects before anything is sent takes no place", async () => {
    const { actor } = org.member;
    const gone = new AbortController();
    for (let i = 0; i < 2; i++) await start(actor, {}, { signal: gone.signal });
    expect(await refusalOf(start(actor))).toBe("rate_limited");
    gone.abort();
    for (let i = 0; i < 3; i++) await start(actor, {}, { signal: gone.signal });
    await text(actor);
  });

  it("a rejected or failed export takes no place", async () => {
    const { actor } = org.member;
    for (let i = 0; i < 3; i++)
      expect(await refusalOf(start(actor, { expected_count: 999 }))).toBe("selection_changed");
    await text(actor);
  });
});

describe("a reader that stops reading", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is cut off after a while, which frees its place", async () => {
    const file = await start(org.admin.actor, { currency: "JPY" });
    const iterator = file.chunks[Symbol.asyncIterator]();
    await iterator.next();
    vi.advanceTimersByTime(limits.download.stalledMs - 1);
    expect(file.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(file.signal.aborted).toBe(true);
    await expect(iterator.next()).rejects.toThrow("stalled");
    for (let i = 0; i < 2; i++) await start(org.admin.actor);
    expect(await refusalOf(start(org.admin.actor))).toBe("rate_limited");
  });

  it("is also cut off behind a web stream, which frees its place", async () => {
    const { actor } = org.member;
    for (let i = 0; i < 3; i++) {
      const reader = byteStream(await start(actor)).getReader();
      await reader.read();
      vi.advanceTimersByTime(limits.download.stalledMs);
      await expect(reader.read()).rejects.toThrow("stalled");
    }
  });

  it("is not cut off while it keeps reading, but is after an hour", async () => {
    const file = await start(org.other.actor, { currency: "JPY" });
    const iterator = file.chunks[Symbol.asyncIterator]();
    const { stalledMs, longestMs } = limits.download;
    await iterator.next();
    for (let i = 0; i < 10; i++) {
      vi.advanceTimersByTime(stalledMs - 1);
      expect((await iterator.next()).done).toBe(false);
    }
    vi.advanceTimersByTime(longestMs);
    expect(file.signal.aborted).toBe(true);
  });
});
