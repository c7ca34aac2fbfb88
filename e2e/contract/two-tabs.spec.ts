// One payer with two tabs on a partially refunded payment request: exactly the amount due is charged, once.
import { expect } from "playwright/test";
import { test } from "../fixtures";
import { formTokenOf, goodCard, payByForm, sendForm, submitForm } from "../payer";
import { newMember, receive, requestPayment, succeeded } from "./people";

const challenged = { card_number: "4000002760003184", expiry: "12/34", security_code: "123" };

type Status = { status: string; amount_paid: number; amount_due: number; next_action: { url: string } | null };

test("while one card awaits confirmation, a second card is not charged", async ({ api, server }) => {
  const person = await newMember(api);
  const { payment_id, payment_url } = await requestPayment(api, person, 1_000);
  const { transaction_id: parent_transaction_id } = await receive(api, person, 400, { payment_id });
  const refund = { type: "refund", parent_transaction_id, amount: 100 };
  succeeded(await api("POST", "/v1/transactions", { token: person.token, body: refund }));

  const secondTab = await formTokenOf(payment_url);
  expect((await payByForm(payment_url, challenged)).status).toBe(303);
  const status = async () =>
    succeeded(await api<Status>("GET", `/v1/payments/${payment_id}/status`, { token: person.token }));
  const waiting = await status();
  expect(waiting).toMatchObject({ status: "requires_action", amount_paid: 400, amount_due: 600 });

  await submitForm(payment_url, secondTab, goodCard);
  expect(await status()).toEqual(waiting);
  const offline = { type: "payment", amount: 600, currency: "EUR", payment_id };
  const recorded = await api("POST", "/v1/transactions", { token: person.token, body: offline });
  expect(recorded.body).toMatchObject({ error_code: "payment_processing" });
  const canceled = await api("POST", `/v1/payments/${payment_id}/cancel`, { token: person.token });
  expect(canceled.body).toMatchObject({ error_code: "payment_processing" });

  const confirmation = server.url + new URL(waiting.next_action?.url ?? "").pathname;
  const answered = await sendForm(confirmation, { answer: "complete" });
  expect(answered.status).toBe(303);
  expect(await status()).toMatchObject({ status: "partially_refunded", amount_paid: 1_000, amount_due: 0 });

  await submitForm(payment_url, secondTab, goodCard);
  const payment = await api("GET", `/v1/payments/${payment_id}`, { token: person.token });
  expect(payment.body).toMatchObject({ amount_paid: 1_000, amount_refunded: 100, amount_overpaid: 0 });
  const account = await api("GET", `/v1/accounts/${person.accountId}`, { token: person.token });
  expect(account.body).toMatchObject({ balances: [{ currency: "EUR", available: 900 }] });
});
