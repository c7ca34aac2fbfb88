// Concurrent identical requests: an effect that may happen once happens once, and no money is created.
import { expect } from "playwright/test";
import type { Api, ApiError } from "../api";
import { test } from "../fixtures";
import { memberPassword, newEmail, newMember, type Person, receive, requestPayment, succeeded, unique } from "./people";

type Body = Record<string, unknown>;

/** Sends the same request `count` times concurrently; counts the responses by code, "ok" for success. */
async function race(count: number, send: (index: number) => ReturnType<Api>): Promise<Record<string, number>> {
  const replies = await Promise.all(Array.from({ length: count }, (_, index) => send(index)));
  const counts: Record<string, number> = {};
  for (const reply of replies) {
    expect(reply.status, reply.text).toBeLessThan(500);
    const outcome = reply.status === 200 ? "ok" : (reply.body as ApiError).error_code;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

const transact = (api: Api, { token }: Person, body: Body) => api("POST", "/v1/transactions", { token, body });

async function availableOf(api: Api, { token, accountId }: Person): Promise<number> {
  const account = await api<{ balances: { available: number; held: number }[] }>("GET", `/v1/accounts/${accountId}`, {
    token,
  });
  const [balance] = succeeded(account).balances;
  expect(balance?.held).toBe(0);
  return balance?.available ?? 0;
}

test("40 refunds of a tenth: ten succeed", async ({ api }) => {
  const person = await newMember(api);
  await receive(api, person, 5_000);
  const { transaction_id: parent_transaction_id } = await receive(api, person, 1_000);
  const refund = { type: "refund", parent_transaction_id, amount: 100 };
  expect(await race(40, () => transact(api, person, refund))).toEqual({ ok: 10, refund_exceeds_captured: 30 });
  expect(await availableOf(api, person)).toBe(5_000);
  const parent = await api("GET", `/v1/transactions/${parent_transaction_id}`, { token: person.token });
  expect(parent.body).toMatchObject({ status: "refunded", amount_refunded: 1_000 });
});

test("20 refunds of the full remainder: one succeeds", async ({ api }) => {
  const person = await newMember(api);
  await receive(api, person, 5_000);
  const { transaction_id: parent_transaction_id } = await receive(api, person, 1_000);
  const refund = { type: "refund", parent_transaction_id };
  expect(await race(20, () => transact(api, person, refund))).toEqual({ ok: 1, refund_exceeds_captured: 19 });
});

test("40 transfers of a tenth of the balance: ten succeed, and none overdraws", async ({ api }) => {
  const [from, to] = [await newMember(api), await newMember(api)];
  await receive(api, from, 1_000);
  const transfer = { type: "transfer", destination_account_id: to.accountId, amount: 100, currency: "EUR" };
  expect(await race(40, () => transact(api, from, transfer))).toEqual({ ok: 10, insufficient_balance: 30 });
  expect([await availableOf(api, from), await availableOf(api, to)]).toEqual([0, 1_000]);
});

test("refunds and transfers of the same money never take out more than the balance", async ({ api }) => {
  const [from, to] = [await newMember(api), await newMember(api)];
  const { transaction_id: parent_transaction_id } = await receive(api, from, 1_000);
  const orders = [
    { type: "refund", parent_transaction_id, amount: 100 },
    { type: "transfer", destination_account_id: to.accountId, amount: 100, currency: "EUR" },
  ];
  const outcome = await race(40, (index) => transact(api, from, orders[index % 2] ?? {}));
  expect(outcome.ok).toBe(10);
  expect(await availableOf(api, from)).toBe(0);
});

test("circular transfers neither deadlock nor lose money", async ({ api }) => {
  const ring = await Promise.all(Array.from({ length: 4 }, () => newMember(api)));
  for (const person of ring) await receive(api, person, 10_000);
  const send = (index: number) => {
    const [from, to] = [ring[index % 4] as Person, ring[(index + 1 + (index % 3)) % 4] as Person];
    const transfer = { type: "transfer", destination_account_id: to.accountId, amount: 7, currency: "EUR" };
    return transact(api, from, transfer);
  };
  expect(await race(120, send)).toEqual({ ok: 120 });
  const balances = await Promise.all(ring.map((person) => availableOf(api, person)));
  expect(balances.reduce((sum, balance) => sum + balance, 0)).toBe(40_000);
});

test("20 payments in full of one payment request: one counts", async ({ api }) => {
  const person = await newMember(api);
  const { payment_id } = await requestPayment(api, person, 500);
  const payment = { type: "payment", amount: 500, currency: "EUR", payment_id };
  const outcome = await race(20, () => transact(api, person, payment));
  expect(outcome.ok).toBe(1);
  const status = await api("GET", `/v1/payments/${payment_id}/status`, { token: person.token });
  expect(status.body).toMatchObject({ status: "paid", amount_paid: 500, amount_due: 0 });
  expect(await availableOf(api, person)).toBe(500);
});

test("a payment and a cancellation: exactly one succeeds", async ({ api }) => {
  const person = await newMember(api);
  for (let round = 0; round < 5; round++) {
    const { payment_id } = await requestPayment(api, person, 500);
    const payment = { type: "payment", amount: 500, currency: "EUR", payment_id };
    const [paid, canceled] = await Promise.all([
      transact(api, person, payment),
      api("POST", `/v1/payments/${payment_id}/cancel`, { token: person.token }),
    ]);
    const status = await api("GET", `/v1/payments/${payment_id}/status`, { token: person.token });
    const outcomes = [paid, canceled].map((reply) =>
      reply.status === 200 ? "ok" : (reply.body as unknown as ApiError).error_code,
    );
    expect({ outcomes, body: status.body }).toMatchObject(
      paid.status === 200
        ? { outcomes: ["ok", "payment_not_cancelable"], body: { status: "paid", amount_paid: 500 } }
        : { outcomes: ["payment_not_payable", "ok"], body: { status: "canceled", amount_paid: 0 } },
    );
  }
});

test("an e-mail address and a reference are taken once, and an account closes once", async ({ api, adminToken }) => {
  const user = { email: newEmail(), password: memberPassword };
  expect(await race(12, () => api("POST", "/v1/users", { body: user }))).toEqual({ ok: 1, email_taken: 11 });
  const person = await newMember(api);
  const reference = unique();
  const payment = { type: "product", amount: 100, currency: "EUR", reference };
  const ask = () => api("POST", "/v1/payments", { token: person.token, body: payment });
  expect(await race(20, ask)).toEqual({ ok: 1, duplicate_reference: 19 });
  const receipt = { type: "payment", amount: 100, currency: "EUR", reference };
  expect(await race(20, () => transact(api, person, receipt))).toEqual({ ok: 1, duplicate_reference: 19 });
  const body = { account_id: person.accountId };
  const close = () => api("DELETE", "/v1/auth/close", { token: adminToken, body });
  expect(await race(12, close)).toEqual({ ok: 1, account_already_closed: 11 });
});

test("money movements while the account closes: all before closing, none after", async ({ api, adminToken: token }) => {
  const person = await newMember(api);
  const { accountId: account_id } = person;
  const credit = { type: "credit", amount: 10, currency: "EUR", account_id };
  const closing = new Promise((resume) => setTimeout(resume, 15)).then(() =>
    api("DELETE", "/v1/auth/close", { token, body: { account_id } }),
  );
  const outcome = await race(60, () => api("POST", "/v1/transactions", { token, body: credit }));
  expect((await closing).status).toBe(200);
  expect(await availableOf(api, { ...person, token })).toBe((outcome.ok ?? 0) * 10);
  expect(Object.keys(outcome).filter((code) => !["ok", "account_closed"].includes(code))).toEqual([]);
});
