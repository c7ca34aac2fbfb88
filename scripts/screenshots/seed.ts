// What the screenshots show besides the demo's business: payment requests in every state, open and closed accounts.
import { type Api, createApi, signIn } from "../../e2e/api";
import { goodCard, payByForm } from "../../e2e/payer";

export const member = { email: "grace@example.com", password: "a long and odd sentence" };

const card = (number: string, security_code = "123") => ({ ...goodCard, card_number: number, security_code });

const cards = {
  noFunds: card("4000000000009995"),
  challenged: card("4000002760003184"),
  lostAnswer: card("4000000000000119", "998"),
};

interface PaymentRequest {
  payment_id: string;
  payment_url: string;
}

/** Where to take screenshots: pay links by state, and ids of dashboard objects. */
export interface Seeded {
  links: Record<string, string>;
  /** The address of an open 3-D Secure confirmation. */
  challenge: string;
  payments: Record<"open" | "authorized" | "paid" | "partly_refunded", string>;
  charge: string;
  refund: string;
  account: string;
  closed: string;
  /** Ids of subscriptions of the demo by status, and of a customer who has one. */
  subscriptions: Record<"active" | "trialing" | "past_due" | "paused", string>;
  subscriber: string;
  /** The address of a credit note's page. */
  creditNote: string;
}

class Bakery {
  private constructor(
    private readonly api: Api,
    private readonly token: string,
  ) {}

  static async open(url: string): Promise<Bakery> {
    const api = createApi(url);
    return new Bakery(api, (await signIn(api)).access_token);
  }

  async call<T>(method: string, path: string, body?: object): Promise<T> {
    const reply = await this.api<T>(method, path, { token: this.token, ...(body ? { body } : {}) });
    if (reply.status !== 200) throw new Error(`${method} ${path} was refused: ${reply.text}`);
    return reply.body;
  }

  ask = (more: object = {}): Promise<PaymentRequest> =>
    this.call("POST", "/v1/payments", {
      type: "invoice",
      currency: "EUR",
      description: "Wedding cake, three tiers",
      reference: `2026-${(counter++).toString().padStart(4, "0")}`,
      line_items: [
        { name: "Wedding cake, three tiers", quantity: 1, unit_amount: 42_000, tax_rate_bp: 700 },
        { name: "Delivery", quantity: 1, unit_amount: 2_500, tax_rate_bp: 1_900 },
      ],
      customer: { name: "Grace Hopper", email: "hopper@example.com" },
      ...more,
    });

  async paid(more: object = {}): Promise<PaymentRequest> {
    const request = await this.ask(more);
    await payByForm(request.payment_url);
    return request;
  }

  refund = ({ payment_id }: PaymentRequest, amount?: number) =>
    this.call<{ transaction_id: string; parent_transaction_id: string }>("POST", `/v1/payments/${payment_id}/refund`, {
      reason: "requested_by_customer",
      ...(amount === undefined ? {} : { amount }),
    });
}

let counter = 117;

/** Adds the states that a page can show to the demo's business. */
export async function seed(url: string): Promise<Seeded> {
  const bakery = await Bakery.open(url);
  await seedMember(bakery);
  return { ...(await seedStates(bakery)), ...(await seedAccounts(bakery)), ...(await subscriptionsOf(bakery)) };
}

async function subscriptionsOf(bakery: Bakery): Promise<Pick<Seeded, "subscriptions" | "subscriber">> {
  type Found = { data: { subscription_id: string; customer_id: string }[] };
  const newest = async (status: keyof Seeded["subscriptions"]) => {
    const { data } = await bakery.call<Found>("GET", `/v1/subscriptions?status=${status}&limit=1`);
    if (!data[0]) throw new Error(`The demo has no subscription that is ${status}.`);
    return data[0];
  };
  const active = await newest("active");
  return {
    subscriptions: {
      active: active.subscription_id,
      trialing: (await newest("trialing")).subscription_id,
      past_due: (await newest("past_due")).subscription_id,
      paused: (await newest("paused")).subscription_id,
    },
    subscriber: active.customer_id,
  };
}

const seedMember = (bakery: Bakery) =>
  bakery.call("POST", "/v1/users", {
    ...member,
    name: "Grace Hopper",
    role: "member",
    account: { account_type: "individual", account_name: "Grace Hopper" },
  });

async function seedAccounts(bakery: Bakery): Promise<Pick<Seeded, "account" | "closed">> {
  const make = (account_name: string) =>
    bakery.call<{ account_id: string }>("POST", "/v1/accounts", {
      account_type: "business",
      account_name,
      email: "accounts@example.com",
    });
  const account = (await make("Market stall")).account_id;
  const closed = (await make("Old mill")).account_id;
  await bakery.call("DELETE", "/v1/auth/close", { account_id: closed });
  return { account, closed };
}

/** Creates one payment request for each state of the pay page. */
async function seedStates(
  bakery: Bakery,
): Promise<Omit<Seeded, "account" | "closed" | "subscriptions" | "subscriber">> {
  const open = await bakery.ask();
  const declined = await bakery.ask();
  await payByForm(declined.payment_url, cards.noFunds);
  const failed = await bakery.ask();
  for (let attempt = 1; attempt <= 10; attempt++) await payByForm(failed.payment_url, cards.noFunds);
  const authorized = await bakery.ask({ capture_method: "manual" });
  await payByForm(authorized.payment_url);
  const challenged = await bakery.ask();
  const answer = await payByForm(challenged.payment_url, cards.challenged);
  const paid = await bakery.paid();
  const refunded = await bakery.paid();
  await bakery.refund(refunded);
  const partly = await bakery.paid();
  const refund = await bakery.refund(partly, 2_675);
  const credited = await bakery.call<{ credit_notes: { pdf_url: string }[] }>(
    "GET",
    `/v1/payments/${partly.payment_id}`,
  );
  const trial = await bakery.ask({
    ...{ type: "subscription", description: "Cake club", line_items: undefined, amount: 2_400 },
    subscription: { interval: "month", interval_count: 1, trial_days: 14 },
  });
  const canceled = await bakery.ask();
  await bakery.call("POST", `/v1/payments/${canceled.payment_id}/cancel`, {});
  const expired = await bakery.ask({ expires_at: new Date(Date.now() + 1_500).toISOString() });
  const shop = await bakery.call<{ account_id: string }>("POST", "/v1/accounts", {
    account_type: "business",
    account_name: "Summer pop-up",
    email: "summer@example.com",
  });
  const gone = await bakery.ask({ account_id: shop.account_id });
  await bakery.call("DELETE", "/v1/auth/close", { account_id: shop.account_id });
  const processing = await bakery.ask();
  await payByForm(processing.payment_url, cards.lostAnswer);
  const requests = {
    open,
    declined,
    failed,
    authorized,
    challenged,
    paid,
    refunded,
    canceled,
    expired,
    processing,
    trial,
  };
  const links = Object.fromEntries(Object.entries(requests).map(([name, { payment_url }]) => [name, payment_url]));
  return {
    links: { ...links, partly_refunded: partly.payment_url, unavailable: gone.payment_url },
    challenge: answer.headers.get("location") ?? "",
    payments: {
      open: open.payment_id,
      authorized: authorized.payment_id,
      paid: paid.payment_id,
      partly_refunded: partly.payment_id,
    },
    charge: refund.parent_transaction_id,
    refund: refund.transaction_id,
    creditNote: credited.credit_notes[0]?.pdf_url.replace(/\.pdf$/, "") ?? "",
  };
}
