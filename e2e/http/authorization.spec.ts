// The Authorization header: exactly one Bearer credential counts, and it is looked up before the fields are checked.
import { expect } from "playwright/test";
import type { Api, ApiError } from "../api";
import { newMember, type Person, unique } from "../contract/people";
import { expectRefusal, stateOf } from "../contract/refusals";
import { test } from "../fixtures";

let person: Person;
let before: string;
test.beforeAll(async ({ api }) => {
  person = await newMember(api);
});
test.beforeEach(async ({ api }) => {
  before = await stateOf(api, person);
});
test.afterEach(async ({ api }) => {
  expect(await stateOf(api, person)).toBe(before);
});

test.describe("the Authorization header", () => {
  const list = (api: Api, authorization: string) =>
    api<ApiError>("GET", "/v1/transactions", { headers: { Authorization: authorization } });

  test("the scheme is case-insensitive", async ({ api }) => {
    for (const scheme of ["Bearer", "bearer", "BEARER", "bEaReR"]) {
      expect((await list(api, `${scheme} ${person.token}`)).status).toBe(200);
    }
  });

  test("401 for anything but exactly one Bearer credential", async ({ api }) => {
    const { token } = person;
    for (const value of [
      ...[
        `Basic ${token}`,
        token,
        "Bearer",
        `Bearer${token}`,
        `Bearer ${token} ${token}`,
        `Bearer ${token}, Bearer ${token}`,
      ],
      ...[`Bearer "${token}"`, `Bearer ${token.toUpperCase()}`, `Bearer ${token}x`, `Bearer ${token.slice(0, -1)}`],
      ...[`Bearer ${"x".repeat(600)}`, "Bearer null", "Bearer qtat_", `Token ${token}`],
    ]) {
      const reply = await list(api, value);
      expectRefusal(reply, 401, "unauthorized", value);
      expect(reply.headers.get("www-authenticate")).toMatch(/^Bearer/);
    }
  });

  test("401 for a broken credential on an operation where credentials are optional", async ({ api }) => {
    const headers = { Authorization: "Bearer broken" };
    const body = { email: `${unique()}@example.com`, password: "a long enough passphrase" };
    expectRefusal(await api<ApiError>("POST", "/v1/users", { body, headers }), 401, "unauthorized");
  });

  test("the protocol is checked before the credential, the credential before the fields", async ({ api }) => {
    expectRefusal(await api<ApiError>("POST", "/v1/payments", { body: "{" }), 400, "invalid_json");
    expectRefusal(await api<ApiError>("POST", "/v1/payments", { body: { odd: 1 } }), 401, "unauthorized");
  });
});
