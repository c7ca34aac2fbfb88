// Whatever a customer reads is in the customer's language, unless the payment request names another one.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { mails } from "@/db/tables";
import { updateAccount } from "@/server/domains/accounts/operations/update";
import { createCustomer } from "@/server/domains/customers/operations/create";
import { readIssuedInvoice } from "@/server/domains/payments/operations/invoice";
import { paymentReceipt } from "@/server/domains/payments/operations/receipt";
import { sendPayment } from "@/server/domains/payments/operations/send";
import { createCardLink } from "@/server/domains/subscriptions/operations/card-link";
import { viewCardPage } from "@/server/domains/subscriptions/operations/card-page";
import { createTransaction } from "@/server/domains/transactions/operations/create";
import { anyone, ask, openPage, payWith, tokenOf, transactionsOf } from "@/test/payer";
import { subscribe } from "@/test/subscriber";
import { openWorld, type TestOrganization, type World } from "@/test/world";

let world: World;
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  acme = await world.organization();
  await world.call(updateAccount, actor(), { account_id: acme.member.accountId, preferences: { locale: "fr" } });
});
afterAll(() => world.close());

const actor = () => acme.member.actor;

async function newCustomer(name: string, locale: string | null) {
  const email = `${name}@languages.example`;
  const { customer_id } = await world.call(createCustomer, actor(), { name, email, locale });
  return { customer_id };
}

const subjectsOf = async (paymentId: string) =>
  (await world.runtime.db.read.select().from(mails).where(eq(mails.paymentId, paymentId)))
    .map(({ kind, subject }) => `${kind}: ${subject}`)
    .sort();

it.each([
  ["the customer's", "de-AT", undefined, /Zahlungsanfrage/],
  ["the payment request's before the customer's", "de-AT", "es", /solicitud/],
  ["else the account's", null, undefined, /demande|Demande/],
])("mails are in %s language", async (name, of, locale, expected) => {
  const customer = await newCustomer(name.replaceAll(/\W/g, "-"), of);
  const { payment } = await ask(world, actor(), { customer, locale });
  const sent = await world.call(sendPayment, actor(), { payment_id: payment.payment_id });
  expect(sent.subject).toMatch(expected);
});

it("receipts of payments and refunds are in the customer's language", async () => {
  const customer = await newCustomer("greta", "de");
  const { payment, token } = await ask(world, actor(), { customer });
  await payWith(world, token);
  const [paid] = await transactionsOf(world, payment.payment_id);
  await world.call(createTransaction, actor(), { type: "refund", parent_transaction_id: paid?.id ?? "", amount: 50 });
  expect(await subjectsOf(payment.payment_id)).toEqual([
    expect.stringMatching(/^payment_receipt: .*Zahlung/),
    expect.stringMatching(/^refund_receipt: .*(Erstattung|Rückzahlung|erstattet)/),
  ]);
});

it("a refund without a payment request is mailed in the language of its customer", async () => {
  const customer = await newCustomer("frieda", "de");
  const money = { type: "payment", amount: 300, currency: "EUR", customer } as const;
  const { transaction_id } = await world.call(createTransaction, actor(), money);
  await world.call(createTransaction, actor(), { type: "refund", parent_transaction_id: transaction_id, amount: 50 });
  const sent = await world.runtime.db.read.select().from(mails).where(eq(mails.toKey, "frieda@languages.example"));
  expect(sent).toMatchObject([{ kind: "refund_receipt", subject: expect.stringMatching(/Erstattung/) }]);
});

it("mails about a subscription, and its card page, are in the customer's language", async () => {
  const customer = await newCustomer("hanna", "de");
  const { id, payment } = await subscribe(world, actor(), { customer });
  const { url } = await world.call(createCardLink, actor(), { subscription_id: id, send: true });
  expect(await subjectsOf(payment.payment_id)).toContainEqual(expect.stringMatching(/^card_link: .*Karte/));
  const { subscription } = await world.call(viewCardPage, anyone, { token: tokenOf(url) });
  expect(subscription?.locales).toEqual([null, "de", "fr", null]);
});

it("pages and papers name the customer's language between the payment request's and the account's", async () => {
  const customer = await newCustomer("ida", "de");
  const { payment, token } = await ask(world, actor(), { customer, type: "invoice", locale: "es" });
  await payWith(world, token);
  const { payment_id } = payment;
  for (const { locales } of [
    await openPage(world, token),
    await world.call(paymentReceipt, anyone, { token }),
    await world.call(readIssuedInvoice, actor(), { payment_id }),
  ]) {
    expect(locales).toEqual(["es", "de", "fr", null]);
  }
});
