// Transactions by when they settled, in lists and exports: also those that settled long after they were created.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ChargeResult } from "@/server/domains/providers/provider";
import { dayMs } from "@/server/kit/limits";
import { recordsOf, textOf } from "@/test/downloads";
import { beginCharge, earn, settleNow } from "@/test/money";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { exportTransactions } from "./operations/export";
import { listTransactions } from "./operations/list";
import type { Transaction } from "./schema";

let world: World;
let org: TestOrganization;
/** Ids of what was settled, by when. */
let settled: { id: string; at: string }[];
const iso = (instant: number) => new Date(instant).toISOString();

const captured = (reference: string): ChargeResult => ({
  ...{
    kind: "charge",
    reference,
    status: "succeeded",
    amountCaptured: 1000,
    actionUrl: null,
    method: null,
    failure: null,
  },
});

beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
  const late = await beginCharge(world, org.member);
  const soon = await beginCharge(world, org.member);
  world.clock.advance(2 * dayMs);
  await settleNow(world, soon.id, captured("soon"));
  const soonAt = iso(world.clock.now());
  world.clock.advance(60 * dayMs);
  await beginCharge(world, org.member);
  const { transaction_id: atOnce } = await earn(world, org.member, 500);
  const atOnceAt = iso(world.clock.now());
  world.clock.advance(dayMs);
  await settleNow(world, late.id, captured("late"));
  settled = [
    { id: soon.id, at: soonAt },
    { id: atOnce, at: atOnceAt },
    { id: late.id, at: iso(world.clock.now()) },
  ];
});
afterAll(() => world.close());

it("are found from an instant on, before another, and in between", async () => {
  const [soon, atOnce, late] = settled;
  for (const { actor } of [org.admin, org.member]) {
    const ids = async (query: object) => {
      const { data, total_count } = await world.call(listTransactions, actor, { ...query, include_total: true });
      expect(total_count).toBe(data.length);
      expect(await exportedIds(query)).toEqual(data.map(({ transaction_id: id }) => id));
      return data.map(({ transaction_id: id }) => id);
    };
    const exportedIds = async (query: object) => {
      const rows = await recordsOf<Transaction>(
        await world.call(exportTransactions, actor, { ...query, format: "ndjson" }),
      );
      const columns = ["transaction_id"] as const;
      const csv = await textOf(await world.call(exportTransactions, actor, { ...query, columns: [...columns] }));
      const found = rows.map(({ transaction_id: id }) => id);
      expect(csv.split("\r\n").slice(1, -1)).toEqual(found);
      return found;
    };
    // Newest first by their creation; what has not settled is in none.
    expect(await ids({ settled_from: soon?.at })).toEqual([atOnce?.id, soon?.id, late?.id].sort(byCreation));
    expect(await ids({ settled_from: atOnce?.at })).toEqual([atOnce?.id, late?.id]);
    expect(await ids({ settled_to: atOnce?.at })).toEqual([soon?.id]);
    expect(await ids({ settled_from: atOnce?.at, settled_to: late?.at })).toEqual([atOnce?.id]);
    expect(await ids({ settled_from: late?.at, settled_to: iso(Date.parse(late?.at ?? "") + 1) })).toEqual([late?.id]);
    expect(await ids({ settled_from: atOnce?.at, created_to: soon?.at })).toEqual([late?.id]);
    expect(await ids({ settled_from: late?.at, status: ["pending"] })).toEqual([]);
  }
});

const byCreation = (a = "", b = ""): number => (a < b ? 1 : -1);
