// A query as callers write it: lists in two forms, and refusals in plain words.
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { Failure } from "./errors";
import { describeIssues, parsePlainly } from "./issues";
import { queryFieldsOf } from "./query-fields";
import { readQuery } from "./query-input";

const schema = z.strictObject({
  status: z
    .array(z.enum(["paid", "pending", "refunded"]))
    .min(1)
    .max(3)
    .optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  limit: z.int().min(1).max(100).optional(),
  overdue: z.boolean().optional(),
  q: z.string().max(5).optional(),
  type: z.literal("invoice").optional(),
  name: z.string().min(1).optional(),
});
const read = (query: string) => readQuery(query, queryFieldsOf(schema));

/** What the API would answer about a query; null if it takes it. */
function refusalOf(query: string): string | null {
  try {
    const parsed = parsePlainly(schema, read(query));
    return parsed.success ? null : describeIssues(parsed.error.issues);
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

describe("a list in a query", () => {
  it.each(["status=paid,pending", "status=paid&status=pending", "status=paid&limit=1&status=pending"])(
    "%s",
    (query) => {
      expect(read(query).status).toEqual(["paid", "pending"]);
    },
  );

  it("may mix both forms, and stays bounded", () => {
    expect(read("status=paid,pending&status=refunded").status).toEqual(["paid", "pending", "refunded"]);
    expect(refusalOf("status=paid,paid&status=paid,paid")).toBe("status: must have at most 3 entries");
  });
});

describe("what is wrong with a query is said in plain words", () => {
  it.each([
    ["limit=ten", "limit: must be a whole number"],
    ["limit=0", "limit: must be at least 1"],
    ["limit=101", "limit: must be at most 100"],
    ["limit=1&limit=2", "limit: is given twice"],
    ["overdue=yes", "overdue: must be true or false"],
    ["metadata=order", "metadata: must be written with a key, as in metadata[key]=value"],
    ["metadata[a]=1&metadata[a]=2", "metadata[a]: is given twice"],
    ["status=lost", "status[0]: must be one of paid, pending, refunded"],
    ["type=product", "type: must be invoice"],
    ["q=abcdef", "q: must have at most 5 characters"],
    ["name=", "name: must not be empty"],
    ["nonsense=1", "nonsense: unknown field"],
  ])("%s", (query, refusal) => {
    expect(refusalOf(query)).toBe(refusal);
  });
});
