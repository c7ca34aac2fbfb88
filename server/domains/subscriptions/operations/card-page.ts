// The page of a card link: the subscription and its card, as the customer may see them. Reads only.
import * as z from "zod";
import { subscriptionIntervals } from "@/db/schema/values";
import { rules } from "@/server/access/rules";
import { localesFor } from "@/server/domains/customers/locales";
import { organizationById } from "@/server/domains/organizations/organization";
import { inTimeOf } from "@/server/domains/organizations/time";
import { issueFormToken } from "@/server/domains/payments/form-token";
import { actionUrlOf } from "@/server/domains/payments/from-attempts";
import { readMethod } from "@/server/domains/payments/methods/store";
import type { ReadContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { isoOrNull } from "@/server/process/clock";
import { type CardPageState, cardPageStates, cardStateOf, findLinkedCard, type LinkedCard } from "../card-link";
import { nextChargeAt } from "../rules";

const shown = z.strictObject({
  account_name: z.string(),
  account_email: z.string(),
  brand_color: z.string().nullable(),
  logo_path: z.string().nullable(),
  livemode: z.boolean(),
  description: z.string().nullable(),
  amount: z.int(),
  currency: z.string(),
  interval: z.enum(subscriptionIntervals),
  interval_count: z.int(),
  next_charge_at: z.string().nullable(),
  card: z
    .strictObject({ brand: z.string().nullable(), last4: z.string() })
    .nullable()
    .meta({ description: "The card that is charged now." }),
  last_error_code: z.string().nullable(),
  /** In the state `requires_action`: the page on which the customer confirms the card. */
  action_url: z.string().nullable(),
  /** In the state `unpaid`: the page of the renewal. */
  pay_url: z.string().nullable(),
  /** In the state `open`: the token that the form must send back. */
  form_token: z.string().nullable(),
  locales: z.array(z.string().nullable()),
  timezone: z.string().nullable(),
});

const page = z.strictObject({
  state: z.enum(cardPageStates),
  /** Null once the link is over. */
  subscription: shown.nullable(),
});

export type CardPage = z.output<typeof page>;
export type ShownSubscription = z.output<typeof shown>;

export const viewCardPage = operation({
  id: "subscriptions.cardPage",
  summary: "Open a card link",
  access: rules["pay.link"],
  effect: "read",
  input: z.strictObject({ token: z.string().max(limits.linkToken) }),
  output: page,
  errors: {},
  async run({ ctx: call, input }) {
    const linked = await findLinkedCard(call.db, input.token);
    if (!linked) return { state: "over" as const, subscription: null };
    const ctx = await inTimeOf(call, linked.row.organizationId);
    const now = await cardStateOf(ctx, linked);
    return { state: now.state, subscription: now.state === "over" ? null : await present(ctx, linked, now) };
  },
});

async function present(ctx: ReadContext, { link, row, first, account }: LinkedCard, now: CardPageState) {
  const method = row.methodId === null ? undefined : await readMethod(ctx.db, row.methodId);
  const { brand = null, last4 = null } = method?.paymentMethod ?? {};
  // Who used the link sees that card, but none that was stored since.
  const isShown = now.state !== "changed" || method?.cardLink === link.hash;
  const last = now.attempts.at(-1);
  const { locale, timezone } = await organizationById(ctx.db, row.organizationId);
  const { branding, ...preferences } = account.preferences;
  return {
    ...{ account_name: account.name, account_email: account.email },
    ...{ brand_color: branding.color, logo_path: branding.logo_url },
    ...{ livemode: row.livemode, description: row.description, amount: row.amount, currency: row.currency },
    ...{ interval: row.interval, interval_count: row.intervalCount },
    next_charge_at: isoOrNull(nextChargeAt(row)),
    card: isShown && last4 !== null ? { brand, last4 } : null,
    last_error_code: now.state === "open" || now.state === "failed" ? (last?.failure?.code ?? null) : null,
    action_url: now.state === "requires_action" ? actionUrlOf(now.state, now.attempts) : null,
    pay_url: now.state === "unpaid" ? now.payUrl : null,
    form_token: now.state === "open" ? issueFormToken(ctx.runtime.keys, "card", link.hash, ctx.realNow) : null,
    locales: [...(await localesFor(ctx.db, first, account)), locale],
    timezone: preferences.timezone ?? timezone,
  };
}
