// Cursors are opaque, sealed, and valid only for the list and filters that they were issued for.
import { expect, test } from "vitest";
import type { ServerKeys } from "@/server/process/server-key";
import { openCursor, pageOf, sealCursor } from "./page";

const key = (fill: number) => ({ id: String(fill), key: Buffer.alloc(32, fill) });
const keys: ServerKeys = { current: key(1), all: [key(1)] };
const position = { createdAt: 1_763_000_000_000, id: "txn_01m7wd7tg0wr2n3g3kndhs19me" };

test("a cursor opens to the position that was sealed", () => {
  expect(openCursor(keys, { a: 1 }, sealCursor(keys, { a: 1 }, position))).toEqual(position);
});

test("a cursor with other filters or another key, or a forged one, does not open", () => {
  const cursor = sealCursor(keys, { a: 1 }, position);
  expect(openCursor(keys, { a: 2 }, cursor)).toBeNull();
  expect(openCursor({ current: key(2), all: [key(2)] }, { a: 1 }, cursor)).toBeNull();
  expect(openCursor(keys, { a: 1 }, `${cursor.slice(0, -2)}AA`)).toBeNull();
  for (const made of ["", "x", "%%%", `${cursor}=`, Buffer.alloc(40).toString("base64url")]) {
    expect(openCursor(keys, { a: 1 }, made)).toBeNull();
  }
});

test("a cursor survives a rotation of the server key", () => {
  const cursor = sealCursor(keys, {}, position);
  expect(openCursor({ current: key(2), all: [key(2), key(1)] }, {}, cursor)).toEqual(position);
});

test("a cursor of one list is refused by another", async () => {
  const rows = [position, { ...position, id: "txn_01m7wd7tg0wr2n3g3kndhs19mf" }];
  const query = (list: string) => ({
    list,
    rows: async () => rows,
    total: async () => ({ count: rows.length, isEstimate: false }),
    present: (shown: typeof rows) => shown,
  });
  const refuse = (code: string): never => {
    throw new Error(code);
  };
  const first = await pageOf(keys, { limit: 1, include_total: true }, refuse, query("transactions"));
  expect(first).toMatchObject({ has_more: true, total_count: 2, total_is_estimate: false, data: [position] });
  const next = { limit: 1, include_total: false, cursor: first.next_cursor ?? "" };
  expect((await pageOf(keys, next, refuse, query("transactions"))).total_count).toBeNull();
  const capped = { limit: 1, include_total: true, total_max: 1 };
  expect(await pageOf(keys, capped, refuse, query("transactions"))).toMatchObject({ total_count: 1 });
  await expect(pageOf(keys, next, refuse, query("payments"))).rejects.toThrow("invalid_cursor");
});
