// What saving an account sends, and how it merges with changes that someone else saved meanwhile.
import { describe, expect, test } from "vitest";
import { problemsIn } from "./account-problems";
import { type AccountValues, changesOf, emptyValues, entriesOf, merged, valuesOf } from "./account-values";

const metadata = (entries: Record<string, string>) =>
  Object.entries(entries).map(([key, value], i) => ({ row: String(i), key, value }));
const values = ({ entries = {}, ...given }: Partial<AccountValues> & { entries?: Record<string, string> }) => ({
  ...emptyValues,
  account_name: "Bakery",
  email: "ada@example.com",
  ...given,
  metadata: metadata(entries),
});

describe("a save", () => {
  test("sends nothing if nothing but surrounding spaces has changed", () => {
    const before = values({ locale: "de", entries: { order: "1" } });
    expect(changesOf(before, before)).toEqual({});
    expect(changesOf(before, values({ account_name: " Bakery ", locale: "de", entries: { " order ": "1" } }))).toEqual(
      {},
    );
  });

  test("sends each changed field, and null for an emptied or removed one", () => {
    const before = values({ locale: "de", timezone: "Europe/Vienna", color: "#112233", entries: { a: "1", b: "2" } });
    const after = values({ account_name: "Shop", timezone: "UTC", entries: { b: "3", c: "4", "": "no key" } });
    expect(changesOf(before, after)).toEqual({
      account_name: "Shop",
      preferences: { locale: null, timezone: "UTC", branding: { color: null } },
      metadata: { a: null, b: "3", c: "4" },
    });
  });
});

test("a save names only the mails that were turned on or off, so that others keep their setting", () => {
  const saved = {
    ...{ account_name: "Bakery", email: "ada@example.com", metadata: {} },
    preferences: {
      ...{ branding: {}, invoice: { address: null } },
      notifications: { refund_receipt: false, reminder: false },
    },
  } as unknown as Parameters<typeof valuesOf>[0];
  const before = valuesOf(saved);
  expect(before).toMatchObject({ payment_receipt: true, refund_receipt: false });
  expect(changesOf(before, before)).toEqual({});
  const after = { ...before, payment_receipt: false, refund_receipt: true };
  expect(changesOf(before, after)).toEqual({
    preferences: { notifications: { payment_receipt: false, refund_receipt: true } },
  });
  const theirs = { ...before, payment_receipt: false };
  expect(merged(before, { ...before, refund_receipt: true }, theirs).values).toMatchObject({
    ...{ payment_receipt: false, refund_receipt: true },
  });
});

describe("a save after someone else's", () => {
  const entries = { a: "1", b: "2", c: "3" };
  const before = values({ locale: "de", entries });

  test("keeps typed values, adopts the other changes, and reports fields that both have changed", () => {
    const typed = values({
      account_name: "Mine",
      email: "mine@example.com",
      locale: "de",
      entries,
    });
    const saved = values({
      account_name: "Theirs",
      locale: "de-AT",
      timezone: "UTC",
      entries,
    });
    const result = merged(before, typed, saved);
    expect(result.values).toMatchObject({
      account_name: "Mine",
      email: "mine@example.com",
      locale: "de-AT",
      timezone: "UTC",
    });
    expect(result.clashes).toEqual({ account_name: "Theirs" });
    expect(changesOf(saved, result.values)).toEqual({ account_name: "Mine", email: "mine@example.com" });
  });

  test("does the same with each entry of the metadata", () => {
    const typed = values({ locale: "de", entries: { a: "mine", b: "2", d: "new" } });
    const saved = values({ locale: "de", entries: { a: "theirs", c: "changed", d: "new", e: "5" } });
    const result = merged(before, typed, saved);
    expect(Object.fromEntries(entriesOf(result.values))).toEqual({ a: "mine", c: "changed", d: "new", e: "5" });
    expect(result.clashes).toEqual({ "metadata.a": "theirs", "metadata.c": "changed" });
    expect(changesOf(saved, result.values).metadata).toEqual({ a: "mine" });
  });

  test("reports no clash if both have typed the same", () => {
    const typed = values({ account_name: "Same", locale: "de", entries });
    expect(merged(before, typed, typed)).toMatchObject({ values: { account_name: "Same" }, clashes: {} });
  });
});

test.each([
  ["INV-", null],
  ["", null],
  ["A B", "prefixSpaces"],
  ["A*", "prefixWrong"],
  ["А-", "prefixWrong"],
  [" X-CN- ", "prefixOfCreditNotes"],
])("the problem of the prefix %j is %s", (prefix, problem) => {
  expect(problemsIn.number_prefix(prefix)).toBe(problem);
});
