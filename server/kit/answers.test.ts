// Checks of answers: production refuses fields outside the schema, and tests refuse every wrong value.
import { afterEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { answerCheck } from "./answers";

const customer = z.strictObject({ name: z.string(), tags: z.record(z.string(), z.string()) });
const row = z.strictObject({
  id: z.string(),
  customer: customer.nullable(),
  lines: z.array(z.strictObject({ amount: z.int() })).optional(),
  outcome: z.union([z.strictObject({ paid: z.int() }), z.strictObject({ failed: z.string() }), z.literal("none")]),
  detail: z.unknown(),
});
const answer = z.strictObject({ data: z.array(row), next_cursor: z.string().nullable() });

const right = {
  id: "a",
  customer: { name: "Ada", tags: { any: "tag" } },
  lines: [{ amount: 1 }],
  outcome: { paid: 1 },
  detail: { any: { thing: 1 } },
};
const page = (changes: object = {}) => ({ data: [right, { ...right, ...changes }], next_cursor: null });

afterEach(() => vi.unstubAllEnvs());

function inProduction(schema: z.ZodType) {
  vi.stubEnv("NODE_ENV", "production");
  return answerCheck(schema);
}

describe("in production", () => {
  test("the answer is sent as it is", () => {
    const output = page({ customer: null, lines: undefined, outcome: "none" });
    expect(inProduction(answer)(output)).toBe(output);
  });

  test.each([
    ["in a row", { hash: "secret" }, "hash"],
    ["in an object of a row", { customer: { ...right.customer, password: "secret" } }, "password"],
    ["in a later line", { lines: [{ amount: 1 }, { amount: 2, cost: 1 }] }, "cost"],
    ["in an object that fits no alternative", { outcome: { paid: 1, failed: "x" } }, "failed"],
  ])("a field outside the schema is refused %s", (_, changes, field) => {
    expect(() => inProduction(answer)(page(changes))).toThrow(`The answer has the field ${field}`);
  });

  test("any object is refused where the schema allows only values and another object", () => {
    expect(() => inProduction(row)({ ...right, outcome: { secret: 1 } })).toThrow("secret");
    expect(inProduction(row)({ ...right, outcome: { failed: "declined" } })).toBeTruthy();
  });

  test("a file and an answer without fields pass", () => {
    class File {
      secret = 1;
    }
    expect(inProduction(z.instanceof(File))(new File())).toBeInstanceOf(File);
    expect(inProduction(z.null())(null)).toBeNull();
  });
});

test("elsewhere, every value that the schema refuses is refused", () => {
  expect(answerCheck(answer)(page())).toEqual(page());
  expect(() => answerCheck(answer)(page({ id: 7 }))).toThrow("expected string");
  expect(() => answerCheck(answer)(page({ hash: "secret" }))).toThrow("hash");
});

test.each([
  ["a default", z.strictObject({ kept: z.string().default("x") })],
  ["a transformation", z.strictObject({ name: z.string().transform((text) => text.trim()) })],
])("a schema with %s is refused, because answers are sent as they are", (_, schema) => {
  expect(() => answerCheck(schema)).toThrow("An answer is sent as it is");
});
