// What must not compile. The type check of this file fails if a line after @ts-expect-error compiles.
import { expect, test } from "vitest";
import * as z from "zod";
import { organizations } from "@/db/tables";
import { Failure } from "./errors";
import { type AccessRule, operation, refusals, saga } from "./operation";

const access: AccessRule = {
  name: "test",
  credential: "required",
  member: "own",
  viewer: "organization",
  operator: "organization",
  admin: "organization",
  apiKey: null,
};
const description = {
  summary: "An operation for the type checker",
  access,
  input: z.strictObject({ name: z.string() }),
  output: z.strictObject({ name: z.string() }),
};

operation({
  ...description,
  id: "test.refuses",
  effect: "write",
  errors: { account_closed: 400 },
  async run({ input, fail, failAfterCommit }) {
    if (input.name === "closed") fail("account_closed");
    // @ts-expect-error The operation does not declare this code of the catalog.
    if (input.name === "absent") fail("account_not_found");
    // @ts-expect-error The same for a refusal after commit.
    if (input.name === "gone") failAfterCommit("user_not_found");
    // @ts-expect-error Not a code.
    if (input.name === "odd") fail("no_such_code");
    return { name: input.name };
  },
});

operation({
  ...description,
  id: "test.silent",
  effect: "write",
  errors: {},
  async run({ input, fail }) {
    // @ts-expect-error The operation declares no errors.
    return input.name === "" ? fail("account_closed") : { name: input.name };
  },
});

operation({
  ...description,
  id: "test.invents",
  effect: "write",
  // @ts-expect-error The catalog lacks this code.
  errors: { no_such_code: 400 },
  run: async ({ input }) => ({ name: input.name }),
});

operation({
  ...description,
  id: "test.teapot",
  effect: "write",
  // @ts-expect-error Domain failures never have this status.
  errors: { account_closed: 418 },
  run: async ({ input }) => ({ name: input.name }),
});

operation({
  ...description,
  id: "test.writes_while_reading",
  effect: "read",
  errors: {},
  async run({ ctx, input }) {
    // @ts-expect-error Writes need a transaction.
    await ctx.db.insert(organizations);
    // @ts-expect-error Reads emit no events.
    ctx.emit({ type: "x", object: "y", data: {} });
    return { name: input.name };
  },
});

operation({
  ...description,
  id: "test.open",
  effect: "write",
  // @ts-expect-error Every operation needs an access rule.
  access: undefined,
  errors: {},
  run: async ({ input }) => ({ name: input.name }),
});

saga({
  ...description,
  id: "test.distant",
  errors: { payment_processing: 400 },
  begin: async ({ ctx }) => ({ intent: { key: ctx.id("txn") } }),
  async perform({ ctx, intent, fail }) {
    // @ts-expect-error The remote part has no transaction.
    await ctx.db.update(organizations);
    return intent.key === "" ? fail("payment_processing") : intent.key;
  },
  async finish({ outcome, input }) {
    const key: string = outcome;
    return { name: key + input.name };
  },
});

test("a refusal has the status that the operation declares for its code", () => {
  const { fail } = refusals({ session_not_found: 404, refresh_token_invalid: 401 });
  expect(() => fail("session_not_found")).toThrow(expect.objectContaining({ status: 404, commits: false }));
  expect(() => fail("refresh_token_invalid")).toThrow(
    expect.objectContaining({ status: 401, headers: { "WWW-Authenticate": "Bearer" } }),
  );
});

test("a refusal after commit keeps what was written", () => {
  const { failAfterCommit } = refusals({ refresh_token_invalid: 401 });
  expect(() => failAfterCommit("refresh_token_invalid")).toThrow(Failure);
  expect(() => failAfterCommit("refresh_token_invalid")).toThrow(expect.objectContaining({ commits: true }));
});
