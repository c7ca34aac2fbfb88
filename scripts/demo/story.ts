// What happens at the demo's bakery in 90 days: every kind and state of payment request, and all types of transactions.
import type * as z from "zod";
import { createAccount } from "@/server/domains/accounts/operations/create";
import { updateAccount } from "@/server/domains/accounts/operations/update";
import { closeAccount } from "@/server/domains/closing/operations/close-account";
import { removeUser } from "@/server/domains/closing/operations/remove-user";
import { createInvitation } from "@/server/domains/invitations/operations/create";
import { createUser } from "@/server/domains/onboarding/operations/create-user";
import { updateOrganizationSettings } from "@/server/domains/onboarding/operations/organization-settings";
import { updateUser } from "@/server/domains/onboarding/operations/update-user";
import { createTransaction } from "@/server/domains/transactions/operations/create";
import { dayMs, hourMs } from "@/server/kit/limits";
import {
  type Article,
  cakes,
  catering,
  delivery,
  deposits,
  firms,
  inKuwait,
  inTokyo,
  japanese,
  kuwaiti,
  people,
} from "./bakery";
import type { Business, RequestFields } from "./business";
import type { Chance } from "./chance";
import { Payers } from "./payers";
import { planStates } from "./states";
import { planSubscriptions } from "./subscriptions";
import type { Timeline } from "./timeline";
import { planToday } from "./today";

/** Payment requests on each day of the week, from Sunday. */
const perDay = [1, 3, 4, 4, 5, 6, 7];
const kinds = { cake: 54, catering: 20, deposit: 9, subscription: 5, tokyo: 8, kuwait: 4 };
type Kind = keyof typeof kinds;

interface Shops {
  bakery: string;
  cafe: string;
  tokyo: string;
  kuwait: string;
}

/** Plans the whole story. */
export class Story {
  private readonly payers: Payers;
  private invoices = 0;

  constructor(
    private readonly business: Business,
    private readonly timeline: Timeline,
    private readonly chance: Chance,
  ) {
    this.payers = new Payers(business, timeline, chance);
  }

  /** Opens the shops at once, and plans everything that follows. */
  async begin(): Promise<void> {
    const shops = await this.open();
    const { now, end } = { now: this.timeline.now(), end: this.timeline.end };
    for (let day = now; day < end; day += dayMs) this.planDay(day, shops);
    for (let week = now + 6 * dayMs; week < end; week += 7 * dayMs) this.planWeek(week, shops);
    const { business, payers, timeline, chance } = this;
    planSubscriptions({ business, timeline }, end, shops);
    planStates({ business, timeline }, end, shops.bakery);
    planToday({ business, payers, timeline, chance }, end, shops.bakery);
  }

  private async open(): Promise<Shops> {
    const { business } = this;
    const berlin = { timezone: "Europe/Berlin" };
    await business.call(updateOrganizationSettings, { name: "Harbour Bakery", default_currency: "EUR", ...berlin });
    await business.call(updateUser, { user_id: business.adminId, name: "Ada Lovelace", ...berlin });
    const preferences = { branding: { color: "#0b7285" }, ...berlin };
    const own = { account_id: business.accountId, account_name: "Harbour Bakery", preferences };
    await business.call(updateAccount, own);
    const shop = async (account_name: string, default_currency: string, timezone: string) => {
      const fields = { account_type: "business", email: "office@harbour-bakery.example" } as const;
      const preferences = { default_currency, timezone };
      return (await business.call(createAccount, { account_name, ...fields, preferences })).account_id;
    };
    await this.hire();
    return {
      bakery: business.accountId,
      cafe: await shop("Café am Kai", "EUR", "Europe/Berlin"),
      tokyo: await shop("Harbour Bakery Tokyo", "JPY", "Asia/Tokyo"),
      kuwait: await shop("Harbour Bakery Kuwait", "KWD", "Asia/Kuwait"),
    };
  }

  private async hire(): Promise<void> {
    const password = "a tray of warm pretzels";
    const person = (name: string, role: "admin" | "operator" | "viewer") =>
      this.business.call(createUser, {
        ...{ name, role, password },
        email: `${name.split(" ")[0]?.toLowerCase()}@harbour-bakery.example`,
      });
    await person("Margaret Hamilton", "admin");
    await person("Joan Clarke", "operator");
    await person("Blaise Pascal", "viewer");
    const { user_id } = await person("Charles Babbage", "operator");
    const market = await this.business.call(createAccount, {
      ...{ account_name: "Market stall", account_type: "business", email: "office@harbour-bakery.example" },
    });
    this.timeline.plan(this.timeline.end - 6 * dayMs, async () => {
      await this.business.call(removeUser, { user_id });
      await this.business.call(closeAccount, { account_id: market.account_id });
    });
    this.timeline.plan(this.timeline.end - 2 * dayMs, () =>
      this.business.call(createInvitation, {
        email: "hedy@harbour-bakery.example",
        role: "operator",
        name: "Hedy Lamarr",
      }),
    );
  }

  private planDay(day: number, shops: Shops): void {
    const growth = 0.7 + 0.6 * this.timeline.progress(day);
    const count = Math.round((perDay[new Date(day).getUTCDay()] ?? 0) * growth);
    for (let i = 0; i < count; i++) {
      const at = day + this.chance.whole(7 * hourMs, 19 * hourMs);
      const kind = this.chance.weighted(kinds);
      this.timeline.plan(at, async () => this.payers.answer(await this.business.ask(this.request(kind, shops)), kind));
    }
  }

  private request(kind: Kind, shops: Shops): RequestFields {
    const { chance } = this;
    const product = {
      type: "product",
      account_id: shops.bakery,
      currency: "EUR",
      customer: chance.one(people),
    } as const;
    switch (kind) {
      case "cake":
        return { ...product, ...this.order(cakes, chance.whole(1, 2)) };
      case "catering":
        return this.invoice(shops);
      case "deposit":
        return {
          ...product,
          description: chance.one(deposits),
          amount: chance.whole(2, 8) * 5_000,
          capture_method: "manual",
        };
      case "subscription":
        return {
          ...product,
          type: "subscription",
          description: "Bread box",
          amount: chance.one([2_900, 3_900]),
          subscription: { interval: chance.one(["week", "month"]) },
        };
      case "tokyo":
        return this.abroad(shops.tokyo, "JPY", inTokyo, japanese);
      case "kuwait":
        return this.abroad(shops.kuwait, "KWD", inKuwait, kuwaiti);
    }
  }

  private invoice({ bakery, cafe }: Shops): RequestFields {
    const { name, quantity } = { name: this.chance.one(catering), quantity: this.chance.whole(4, 60) };
    const discount = quantity > 30 ? { discount_amount: 5_000 } : {};
    this.invoices++;
    return {
      type: "invoice",
      account_id: this.chance.next() < 0.2 ? cafe : bakery,
      currency: "EUR",
      description: name.name,
      reference: `R-${String(1000 + this.invoices)}`,
      customer: this.chance.one(firms),
      line_items: [
        { ...name, quantity, ...discount },
        ...(this.chance.next() < 0.5 ? [{ ...delivery, quantity: 1 }] : []),
      ],
      due_at: new Date(this.timeline.now() + 14 * dayMs).toISOString(),
    };
  }

  private abroad(account_id: string, currency: string, articles: readonly Article[], customers: typeof people) {
    const customer = this.chance.one(customers);
    return {
      type: "product",
      account_id,
      currency,
      customer,
      ...this.order(articles, this.chance.whole(1, 3)),
    } as const;
  }

  private order(articles: readonly Article[], quantity: number) {
    const article = this.chance.one(articles);
    const line_items = [{ ...article, quantity }];
    return { description: article.name, line_items };
  }

  /** The weekly share of the café, and what the books need now and then. */
  private planWeek(at: number, { bakery, cafe }: Shops): void {
    const book = (input: z.input<typeof createTransaction.input>, hour: number) =>
      this.timeline.plan(at + hour * hourMs, () => this.record(input));
    const eur = { account_id: bakery, currency: "EUR" };
    const share = { amount: this.chance.whole(8, 20) * 2_500, description: "Share of the café" };
    book({ type: "transfer", ...eur, ...share, destination_account_id: cafe }, 17);
    book(
      { type: "payment", ...eur, amount: this.chance.whole(200, 900) * 100, description: "Cash at the counter" },
      18,
    );
    const week = Math.round((at - this.timeline.now()) / (7 * dayMs));
    if (week % 4 === 1) book({ type: "credit", ...eur, amount: 1_500, description: "Thanks for your patience" }, 12);
    const rounding = { direction: "out", reason: "rounding", amount: this.chance.whole(1, 9) } as const;
    if (week % 3 === 2) book({ type: "adjustment", ...eur, ...rounding, description: "Till rounding" }, 19);
  }

  private record = (input: z.input<typeof createTransaction.input>) => this.business.call(createTransaction, input);
}
