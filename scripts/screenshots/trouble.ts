// Problems and content that is hard to fit: alerts, dead jobs, old sign-ins, long names, rare currencies. Comes last,
// because every admin page shows it.
import { createApi, signIn } from "../../e2e/api";
import { resetLink } from "../../e2e/contract/people";
import { payByForm } from "../../e2e/payer";
import { firstAdmin, type TestServer } from "../../e2e/server";
import { breakTransaction, failJobs, makeStale, overpay } from "../../e2e/trouble";

const longName = "Gesellschaft für Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamten & Söhne";
const longTitle = `${"Catering for the opening night of the annual harbour festival, with vegetarian and gluten-free menus, ".repeat(2)}staff and delivery included`;

/** What the screenshots need: the pages to open, and a way to make the password required. */
export interface Trouble {
  /** Pay links, by what is unusual about them. */
  links: Record<"long" | "yen" | "dinar" | "subscription", string>;
  /** Ids of payment requests. */
  long: string;
  overpaid: string;
  account: string;
  /** The id of a payment so large that refunding it requires the password. */
  large: string;
  reset: string;
  /** Makes the next sensitive action require the password. */
  makeStale(): void;
  /** Makes the list of transactions unreadable; returns what repairs it. */
  breakList(): () => void;
}

export async function seedTrouble(server: TestServer): Promise<Trouble> {
  const api = createApi(server.url);
  const token = (await signIn(api)).access_token;
  const call = async <T>(path: string, body: object): Promise<T> => {
    const reply = await api<T>("POST", path, { token, body });
    if (reply.status !== 200) throw new Error(`POST ${path} was refused: ${reply.text}`);
    return reply.body;
  };
  const { account_id } = await call<{ account_id: string }>("/v1/accounts", {
    account_type: "business",
    account_name: longName,
    email: `${"a".repeat(60)}@example.com`,
  });
  const ask = (given: object) =>
    call<{ payment_id: string; payment_url: string }>("/v1/payments", { account_id, type: "product", ...given });
  const customer = { name: longName, email: `${"b".repeat(60)}@example.com` };
  const long = await ask({
    type: "invoice",
    currency: "KWD",
    description: longTitle,
    customer,
    reference: "R".repeat(60),
    line_items: [
      { name: longTitle.slice(0, 120), quantity: 1_000, unit_amount: 1_234_567, discount_amount: 5_000 },
      { name: "Delivery", quantity: 1, unit_amount: 2_500, tax_rate_bp: 1_900 },
    ],
  });
  const yen = await ask({ currency: "JPY", amount: 1_250_000, description: "折り紙ワークショップ", customer });
  const dinar = await ask({ currency: "KWD", amount: 12_345, description: "Saffron, 5 g", customer });
  await payByForm(dinar.payment_url);
  const subscription = await ask({
    type: "subscription",
    currency: "EUR",
    amount: 3_900,
    description: "Bread box, weekly",
    subscription: { interval: "week", interval_count: 1 },
  });
  const overpaid = await ask({ currency: "EUR", amount: 18_500, description: "Two seats" });
  await payByForm(overpaid.payment_url);
  overpay(server, overpaid.payment_id, 6_000);
  const other = await ask({ currency: "EUR", amount: 18_500, description: longTitle });
  await payByForm(other.payment_url);
  overpay(server, other.payment_id, 2_500);
  failJobs(server, overpaid.payment_id, 2);
  const body = { account_id, type: "payment", amount: 150_000, currency: "EUR" };
  const { transaction_id: large } = await call<{ transaction_id: string }>("/v1/transactions", body);
  return {
    links: {
      long: long.payment_url,
      yen: yen.payment_url,
      dinar: dinar.payment_url,
      subscription: subscription.payment_url,
    },
    long: long.payment_id,
    overpaid: overpaid.payment_id,
    account: account_id,
    large,
    reset: new URL(await resetLink(server, firstAdmin.email)).pathname,
    makeStale: () => makeStale(server),
    breakList: () => breakTransaction(server, large),
  };
}
