// Filters as typed, as parameters of the address, and back.
import { describe, expect, test } from "vitest";
import { areReversed, type FilterField, filtersOf, typedOf } from "./filter-field";

const reader = { locale: "en", timeZone: "Europe/Berlin" };
const fields: FilterField[] = [
  { name: "currency", label: "Currency", kind: "select", options: [] },
  { name: "amount_min", label: "From", kind: "atLeast", currency: "EUR" },
  { name: "created_to", label: "To", kind: "until" },
  { name: "metadata", label: "Metadata", kind: "entries" },
];

function form(values: readonly (readonly [string, string])[]): FormData {
  const data = new FormData();
  for (const [name, value] of values) data.append(name, value);
  return data;
}

describe("an amount is read in the chosen currency", () => {
  test.each([
    ["", "1250"],
    ["JPY", "12.5"],
    ["KWD", "12500"],
    ["XXQ", "1250"],
  ])("%j", (currency, amount) => {
    const written = filtersOf(
      fields,
      {},
      form([
        ["currency", currency],
        ["amount_min", "12.5"],
      ]),
      reader,
    );
    expect(written["amount_min"]).toBe(amount);
  });
  test.each([
    ["", "EUR"],
    ["JPY", "JPY"],
  ])("which becomes a filter: %j", (chosen, currency) => {
    const typed = form([
      ["currency", chosen],
      ["amount_min", "12"],
    ]);
    expect(filtersOf(fields, {}, typed, reader)).toMatchObject({ currency });
    expect(filtersOf(fields, {}, form([["created_to", ""]]), reader)).toEqual({});
  });
  test("and formatted in it", () => {
    const typed = (currency: string) => typedOf(fields[1] as FilterField, { currency, amount_min: "1250" }, reader);
    expect(["", "usd", "JPY", "XXQ"].map(typed)).toEqual(["12.50", "12.50", "1250", "12.50"]);
  });
});

test.each([
  ["9", "10", false],
  ["10", "10", false],
  ["10.01", "10", true],
  ["10", "0", true],
  ["10", "", false],
  ["ten", "1", false],
])("amounts from %j to %j are reversed: %j", (from, to, expected) => {
  expect(areReversed(from, to, "EUR", "en")).toBe(expected);
});

test("filters without a field stay, emptied fields are removed", () => {
  const before = { status: "paid", created_to: "2026-01-02T00:00:00Z", "metadata[a]": "1" };
  const sent = form([
    ["created_to", ""],
    ["metadata.key", "b"],
    ["metadata.value", "2"],
    ["metadata.key", ""],
    ["metadata.value", "3"],
  ]);
  expect(filtersOf(fields, before, sent, reader)).toEqual({ status: "paid", "metadata[b]": "2" });
});

test("a last day becomes the instant after its end", () => {
  expect(filtersOf(fields, {}, form([["created_to", "2026-01-01"]]), reader)).toEqual({
    created_to: "2026-01-01T23:00:00Z",
  });
});

describe("a span that begins and ends within days", () => {
  const span: FilterField[] = [
    { name: "created_from", label: "From", kind: "since" },
    { name: "created_to", label: "To", kind: "until" },
  ];
  const linked = { created_from: "2026-01-01T09:30:15Z", created_to: "2026-01-31T09:30:15Z" };
  const days = { created_from: "2026-01-01", created_to: "2026-01-31" };
  const submitted = (changed: Partial<typeof days>) =>
    filtersOf(span, linked, form(Object.entries({ ...days, ...changed })), reader);

  test("stays exact while its days stay", () => {
    expect(span.map((field) => typedOf(field, linked, reader))).toEqual(Object.values(days));
    expect(submitted({})).toEqual(linked);
  });
  test("changes only where its day changes", () => {
    expect(submitted({ created_from: "2026-01-02" })).toEqual({ ...linked, created_from: "2026-01-01T23:00:00Z" });
    expect(submitted({ created_to: "2026-01-30" })).toEqual({ ...linked, created_to: "2026-01-30T23:00:00Z" });
    expect(submitted({ created_to: "" })).toEqual({ created_from: linked.created_from });
  });
});
