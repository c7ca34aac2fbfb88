// A payer in tests: opens a pay link and sends its form, as the pay page does.
import { eq } from "drizzle-orm";
import type * as z from "zod";
import { journals, payments, transactions } from "@/db/tables";
import type { Choice } from "@/server/domains/payments/choices";
import { createPayment } from "@/server/domains/payments/operations/create";
import { pay } from "@/server/domains/payments/operations/pay";
import { viewPayment } from "@/server/domains/payments/operations/view";
import type { PaymentRow } from "@/server/domains/payments/store";
import type { Actor, CallRequest } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import type { World } from "./world";

export const anyone: Actor = { type: "anonymous" };

/** Form values of a card that succeeds. */
export const goodCard = { card_number: "4242 4242 4242 4242", expiry: "12/30", security_code: "123" };

/** The same values with another card number. */
export const card = (number: string) => ({ ...goodCard, card_number: number });

export type RequestFields = Partial<z.input<typeof createPayment.input>>;

/** Creates a payment request for 12.50 EUR, and returns the token of its link. */
export async function ask(world: World, actor: Actor, fields: RequestFields = {}) {
  const payment = await world.call(createPayment, actor, { type: "product", amount: 1250, currency: "EUR", ...fields });
  return { payment, token: tokenOf(payment.payment_url) };
}

export const tokenOf = (url: string | null): string => url?.split("/").at(-1) ?? "";

export const openPage = (world: World, token: string) => world.call(viewPayment, anyone, { token });

/** The token of a freshly loaded form. */
export async function formToken(world: World, token: string): Promise<string> {
  const page = await openPage(world, token);
  if (page.form_token === null) throw new Error(`The page shows no form: it is ${page.state}.`);
  return page.form_token;
}

interface Typed {
  card_number: string;
  expiry: string;
  security_code: string;
  choice?: Choice;
  amount?: number | null;
  amount_due?: number | null;
}

/** What the form of a page sends for a choice: the amounts that it shows, or one that the payer types. */
export const chosenOn = (page: z.output<typeof viewPayment.output>, choice: Choice, typed: number | null = null) => ({
  ...{ choice, amount_due: page.amount_due },
  amount: choice === "own" ? typed : (page.options.find((one) => one.choice === choice)?.amount ?? null),
});

/** Loads the page and pays what the payer chooses there; `typed` is an own amount in minor units. */
export async function payPart(
  world: World,
  token: string,
  choice: Choice,
  typed: number | null = null,
  method: Typed = goodCard,
) {
  const page = await openPage(world, token);
  return submit(world, token, page.form_token ?? "", { ...method, ...chosenOn(page, choice, typed) });
}

export const submit = (
  world: World,
  token: string,
  form: string,
  typed: Typed = goodCard,
  request?: Partial<CallRequest>,
) => world.call(pay, anyone, { token, form_token: form, ...typed }, request);

/** Loads the page and sends its form. */
export async function payWith(world: World, token: string, typed: Typed = goodCard) {
  return submit(world, token, await formToken(world, token), typed);
}

/** Declines so many cards, each typed at another address, that the page of the payment request takes none any more. */
export async function declineForGood(world: World, token: string): Promise<void> {
  for (let attempt = 1; attempt <= limits.failures.declined; attempt++) {
    const page = await openPage(world, token);
    const typed = { ...refusedCard, ...chosenOn(page, "all") };
    await submit(world, token, page.form_token ?? "", typed, { ip: `198.51.100.${attempt}` });
    world.clock.advance(1);
  }
}

const refusedCard = card("4000000000000002");

export async function paymentRow(world: World, id: string): Promise<PaymentRow> {
  const [row] = await world.runtime.db.read.select().from(payments).where(eq(payments.id, id));
  if (!row) throw new Error(`No payment request ${id}.`);
  return row;
}

export const transactionsOf = (world: World, paymentId: string) =>
  world.runtime.db.read
    .select()
    .from(transactions)
    .where(eq(transactions.paymentId, paymentId))
    .orderBy(transactions.id);

/** The events of a transaction's journals in alphabetical order, because a stopped clock gives no other order. */
export async function journalEventsOf(world: World, transactionId: string): Promise<string[]> {
  const rows = await world.runtime.db.read
    .select({ event: journals.event })
    .from(journals)
    .where(eq(journals.transactionId, transactionId));
  return rows.map((row) => row.event).sort();
}
