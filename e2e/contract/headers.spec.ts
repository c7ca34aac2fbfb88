// Headers that depend on what is stored: versions, long polling and Idempotency-Key.
import { expect } from "playwright/test";
import { type Api, type ApiError, signIn } from "../api";
import { test } from "../fixtures";
import {
  memberPassword,
  newMember,
  type PaymentBody,
  type Person,
  receive,
  requestPayment,
  succeeded,
  unique,
} from "./people";
import { absentId } from "./records";

test.describe("versions", () => {
  test("a status has an ETag; 304 until it changes", async ({ api }) => {
    const person = await newMember(api);
    const { payment_id } = await requestPayment(api, person, 500);
    const path = `/v1/payments/${payment_id}/status`;
    const get = (tag?: string) =>
      api("GET", path, { token: person.token, headers: tag === undefined ? {} : { "If-None-Match": tag } });
    const tag = (await get()).headers.get("etag") ?? "";
    expect(tag).toMatch(/^"[^"]+"$/);
    for (const given of [tag, `W/${tag}`, `"x", ${tag}`]) {
      const reply = await get(given);
      expect(reply).toMatchObject({ status: 304, text: "" });
      expect(reply.headers.get("etag")).toBe(tag);
    }
    expect((await get('"x"')).status).toBe(200);
    await receive(api, person, 500, { payment_id });
    const changed = await get(tag);
    expect(changed).toMatchObject({ status: 200, body: { status: "paid" } });
    expect(changed.headers.get("etag")).not.toBe(tag);
  });

  test("If-Match guards an account against lost updates", async ({ api }) => {
    const { token, accountId } = await newMember(api);
    const patch = (name: string, tag?: string) =>
      api<ApiError>("PATCH", "/v1/accounts", {
        token,
        body: { account_name: name },
        headers: tag === undefined ? {} : { "If-Match": tag },
      });
    const tag = (await api("GET", `/v1/accounts/${accountId}`, { token })).headers.get("etag") ?? "";
    expect(tag).toMatch(/^"[^"]+"$/);
    const first = await patch("First", tag);
    expect(first.status).toBe(200);
    const second = await patch("Second", tag);
    expect({ status: second.status, code: second.body.error_code }).toEqual({ status: 400, code: "version_conflict" });
    expect((await patch("Third", first.headers.get("etag") ?? "")).status).toBe(200);
    expect((await patch("Fourth", '"odd"')).status).toBe(400);
    expect((await patch("Fifth")).body).toMatchObject({ account_name: "Fifth" });
  });

  test("of twenty updates with one version, one succeeds", async ({ api }) => {
    const { token, accountId } = await newMember(api);
    const tag = (await api("GET", `/v1/accounts/${accountId}`, { token })).headers.get("etag") ?? "";
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        api("PATCH", "/v1/accounts", { token, body: { account_name: `Name ${i}` }, headers: { "If-Match": tag } }),
      ),
    );
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
  });
});

test.describe("?wait=", () => {
  const timed = async <T>(work: Promise<T>): Promise<[T, number]> => {
    const startedAt = Date.now();
    return [await work, Date.now() - startedAt];
  };

  test("answers when the status changes", async ({ api }) => {
    const person = await newMember(api);
    const { payment_id } = await requestPayment(api, person, 500);
    const path = `/v1/payments/${payment_id}/status?wait=30`;
    const waiting = timed(api("GET", path, { token: person.token }));
    await new Promise((resume) => setTimeout(resume, 400));
    await receive(api, person, 500, { payment_id });
    const [reply, ms] = await waiting;
    expect(reply).toMatchObject({ status: 200, body: { status: "paid", amount_due: 0 } });
    expect(ms).toBeGreaterThan(350);
    expect(ms).toBeLessThan(10_000);
  });

  test("answers after the timeout if nothing changes, and immediately if it changed before", async ({ api }) => {
    const person = await newMember(api);
    const { payment_id } = await requestPayment(api, person, 500);
    const get = (wait: string, tag?: string) =>
      timed(
        api("GET", `/v1/payments/${payment_id}/status?wait=${wait}`, {
          token: person.token,
          headers: tag === undefined ? {} : { "If-None-Match": tag },
        }),
      );
    const [first, atOnce] = await get("0");
    expect(atOnce).toBeLessThan(3_000);
    const tag = first.headers.get("etag") ?? "";
    const [same, ms] = await get("1");
    expect(same).toMatchObject({ status: 200, body: { status: "pending" } });
    expect(ms).toBeGreaterThan(900);
    expect(ms).toBeLessThan(5_000);
    const [unchanged, msToo] = await get("1", tag);
    expect(unchanged.status).toBe(304);
    expect(msToo).toBeGreaterThan(900);
    await receive(api, person, 500, { payment_id });
    const [news, soon] = await get("20", tag);
    expect(news).toMatchObject({ status: 200, body: { status: "paid" } });
    expect(soon).toBeLessThan(3_000);
  });

  test("at most twenty requests of one user wait; further ones get a response at once", async ({ api }) => {
    const person = await newMember(api);
    const { payment_id } = await requestPayment(api, person, 500);
    const path = `/v1/payments/${payment_id}/status?wait=40`;
    const calls = Array.from({ length: 50 }, () => api<PaymentBody>("GET", path, { token: person.token }));
    const early: Awaited<(typeof calls)[number]>[] = [];
    for (const call of calls) void call.then((reply) => early.push(reply));
    await expect.poll(() => early.length, { timeout: 20_000 }).toBe(30);
    for (const reply of early) {
      expect(reply).toMatchObject({ status: 200, body: { status: "pending" } });
      expect(reply.headers.get("retry-after")).toBe("1");
    }
    await receive(api, person, 500, { payment_id });
    const statuses = (await Promise.all(calls)).map(({ body }) => body.status);
    expect(statuses.filter((status) => status === "paid")).toHaveLength(20);
  });

  test("400 for an invalid wait time", async ({ api, adminToken: token }) => {
    for (const wait of ["-1", "x", "1.5", "", "100000"]) {
      const path = `/v1/payments/${absentId("pay")}/status?wait=${wait}`;
      expect((await api<ApiError>("GET", path, { token })).body.error_code).toBe("invalid_request");
    }
  });
});

test.describe("Idempotency-Key", () => {
  const payment = { type: "payment", amount: 100, currency: "EUR" };
  const send = (api: Api, person: Person, key: string, body: unknown, [method, path] = ["POST", "/v1/transactions"]) =>
    api<ApiError & Record<string, unknown>>(String(method), String(path), {
      token: person.token,
      body,
      headers: { "Idempotency-Key": key },
    });
  const countOf = async (api: Api, { token }: Person) =>
    succeeded(await api<{ total_count: number }>("GET", "/v1/transactions?include_total=true", { token })).total_count;

  test("same key, same request: the response is replayed and marked as a replay", async ({ api }) => {
    const person = await newMember(api);
    const key = unique();
    const first = await send(api, person, key, payment);
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    const spaced = JSON.stringify(payment, null, 2);
    for (const body of [payment, spaced]) {
      const again = await send(api, person, key, body);
      expect(again).toMatchObject({ status: 200, text: first.text });
      expect(again.headers.get("idempotent-replayed")).toBe("true");
    }
    expect(await countOf(api, person)).toBe(1);
  });

  test("same key, another request: 400 idempotency_key_reused", async ({ api }) => {
    const person = await newMember(api);
    const key = unique();
    await send(api, person, key, payment);
    const others: [unknown, [string, string]?][] = [
      [{ ...payment, amount: 101 }],
      [{ ...payment, description: "more" }],
      [{ type: "product", amount: 100, currency: "EUR" }, ["POST", "/v1/payments"]],
      [{ account_name: "Name" }, ["PATCH", "/v1/accounts"]],
      [{}, ["DELETE", "/v1/auth/close"]],
    ];
    for (const [body, target] of others) {
      const reply = await send(api, person, key, body, target);
      expect({ status: reply.status, code: reply.body.error_code }).toEqual({
        status: 400,
        code: "idempotency_key_reused",
      });
    }
    expect(await countOf(api, person)).toBe(1);
  });

  test("a refusal is replayed; an invalid request may be corrected under the same key", async ({ api }) => {
    const [person, other] = [await newMember(api), await newMember(api)];
    const key = unique();
    const transfer = { type: "transfer", amount: 10, currency: "EUR", destination_account_id: other.accountId };
    const refused = await send(api, person, key, transfer);
    expect(refused.body.error_code).toBe("insufficient_balance");
    await receive(api, person, 100);
    const again = await send(api, person, key, transfer);
    expect(again).toMatchObject({ status: 400, text: refused.text });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect((await send(api, person, unique(), transfer)).status).toBe(200);
    const mended = unique();
    expect((await send(api, person, mended, { ...transfer, amount: -1 })).body.error_code).toBe("invalid_request");
    expect((await send(api, person, mended, transfer)).status).toBe(200);
  });

  test("belongs to its user across sessions", async ({ api }) => {
    const [person, other] = [await newMember(api), await newMember(api)];
    const key = unique();
    const first = await send(api, person, key, payment);
    expect((await send(api, other, key, payment)).body.transaction_id).not.toBe(first.body.transaction_id);
    const { access_token: token } = await signIn(api, person.email, memberPassword);
    expect((await send(api, { ...person, token }, key, payment)).text).toBe(first.text);
  });

  test("works on PATCH and DELETE too, and is ignored on reads", async ({ api }) => {
    const person = await newMember(api);
    const [rename, close] = [unique(), unique()];
    const renamed = await send(api, person, rename, { account_name: "One" }, ["PATCH", "/v1/accounts"]);
    await send(api, person, unique(), { account_name: "Two" }, ["PATCH", "/v1/accounts"]);
    expect((await send(api, person, rename, { account_name: "One" }, ["PATCH", "/v1/accounts"])).text).toBe(
      renamed.text,
    );
    const { accountId: account_id } = person;
    const admin = { ...person, token: (await signIn(api)).access_token };
    const closed = await send(api, admin, close, { account_id }, ["DELETE", "/v1/auth/close"]);
    expect(closed.status).toBe(200);
    expect((await send(api, admin, close, { account_id }, ["DELETE", "/v1/auth/close"])).text).toBe(closed.text);
    const headers = { "Idempotency-Key": close };
    expect((await api("GET", "/v1/transactions", { token: admin.token, headers })).status).toBe(200);
  });

  test("is ignored on login and sign-up", async ({ api }) => {
    const email = `${unique()}@example.com`;
    const headers = { "Idempotency-Key": unique() };
    const body = { email, password: memberPassword };
    expect((await api("POST", "/v1/users", { body, headers })).status).toBe(200);
    expect((await api<ApiError>("POST", "/v1/users", { body, headers })).body.error_code).toBe("email_taken");
    const logins = [
      await api("POST", "/v1/auth/login", { body, headers }),
      await api("POST", "/v1/auth/login", { body, headers }),
    ];
    expect(new Set(logins.map((reply) => reply.body.session_id)).size).toBe(2);
  });

  test("accepts 1 to 255 visible ASCII characters", async ({ api }) => {
    const person = await newMember(api);
    for (const key of ["x".repeat(256), "a b", "é", ""]) {
      const reply = await send(api, person, key, payment);
      expect({ status: reply.status, code: reply.body.error_code }).toEqual({ status: 400, code: "invalid_request" });
    }
    expect((await send(api, person, "~".repeat(255), payment)).status).toBe(200);
    expect(await countOf(api, person)).toBe(1);
  });

  test("forty concurrent requests: one effect; all get its response, or 409 with Retry-After", async ({ api }) => {
    const person = await newMember(api);
    const key = unique();
    const replies = await Promise.all(Array.from({ length: 40 }, () => send(api, person, key, payment)));
    const answers = new Set<string>();
    for (const reply of replies) {
      if (reply.status === 200) answers.add(reply.text);
      else {
        expect({ status: reply.status, code: reply.body.error_code }).toEqual({
          status: 409,
          code: "idempotency_key_in_use",
        });
        expect(reply.headers.get("retry-after")).toBe("1");
      }
    }
    expect(answers.size).toBe(1);
    expect(await countOf(api, person)).toBe(1);
    expect((await send(api, person, key, payment)).text).toBe([...answers][0]);
  });
});
