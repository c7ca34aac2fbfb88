// The card link of a subscription: made, found by its token, and what its page can do now.
import type { Reader } from "@/db/client";
import { type AccountRow, lockAccount, readAccount } from "@/server/domains/accounts/store";
import type { MailLink } from "@/server/domains/mails/links";
import { inTimeOf } from "@/server/domains/organizations/time";
import { hasFailed } from "@/server/domains/payments/declines";
import { type Attempt, isUnderWay } from "@/server/domains/payments/derive";
import { factsOf } from "@/server/domains/payments/facts";
import { paymentUrl } from "@/server/domains/payments/link";
import { attemptsWithLink } from "@/server/domains/payments/methods/store";
import { isAvailable, refusalToPay } from "@/server/domains/payments/rules";
import { lockPayment, type PaymentRow, readPayment } from "@/server/domains/payments/store";
import { cardProvider } from "@/server/domains/providers/registry";
import type { ReadContext, WriteContext } from "@/server/kit/context";
import { dayMs, limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { newOneTimeLink, oneTimeToken } from "@/server/secrets/one-time-link";
import { hashToken, parseToken } from "@/server/secrets/secret";
import { type CardLinkRow, findCardLink, putCardLink } from "./card-link-store";
import { isLive } from "./rules";
import { readSubscription, type SubscriptionRow } from "./store";

/** Makes the link of a subscription that the caller has locked. It ends the one before. */
export async function makeCardLink(ctx: WriteContext, { id }: SubscriptionRow): Promise<CardLinkRow> {
  const times = { createdAt: ctx.realNow, expiresAt: ctx.realNow + limits.cardLinkDays * dayMs, usedAt: null };
  const row = { ...newOneTimeLink(ctx.runtime.keys, "cardLink"), subscriptionId: id, ...times };
  await putCardLink(ctx.db, row);
  return row;
}

type Site = Pick<Runtime, "keys" | "env">;

/** The URL of the link; null once its server key is gone. */
export function cardLinkUrl({ keys, env }: Site, row: CardLinkRow): string | null {
  const token = oneTimeToken(keys, "cardLink", row);
  return token && `${env.appUrl}/card/${token}`;
}

/** The URL of the link with this hash, as long as it can be used. */
export const cardMailLink: MailLink = async (q, runtime, hash) => {
  const link = await findCardLink(q, hash);
  const row = link && (await readSubscription(q, link.subscriptionId));
  const now = (runtime.clock.real ?? runtime.clock).now();
  return link && row && isUsable(link, row, now) ? cardLinkUrl(runtime, link) : null;
};

/** The page of the link with this hash, or one that says that the link is over. */
export async function cardPageUrl(q: Reader, runtime: Site, hash: string): Promise<string> {
  const link = await findCardLink(q, hash);
  return (link && cardLinkUrl(runtime, link)) ?? `${runtime.env.appUrl}/card/over`;
}

/** Whether the link or its subscription has ended; `now` in real time. */
const isOver = (link: CardLinkRow, row: SubscriptionRow, now: number): boolean => now >= link.expiresAt || !isLive(row);

/** Whether a card may still be entered with the link; `now` in real time. */
const isUsable = (link: CardLinkRow, row: SubscriptionRow, now: number): boolean =>
  link.usedAt === null && !isOver(link, row, now);

/** A card link and what it belongs to. */
export interface LinkedCard {
  link: CardLinkRow;
  row: SubscriptionRow;
  /** The payment request that began the subscription. */
  first: PaymentRow;
  account: AccountRow;
}

/** What the link with this token belongs to; undefined for an unknown token, and for one that a newer link replaced. */
export async function findLinkedCard(q: Reader, text: string): Promise<LinkedCard | undefined> {
  const token = parseToken("cardLink", text);
  const link = token === null ? undefined : await findCardLink(q, hashToken(token));
  const row = link && (await readSubscription(q, link.subscriptionId));
  const first = row && (await readPayment(q, row.firstPaymentId));
  if (!first) return undefined;
  return { link, row, first, account: await readAccount(q, row.organizationId, row.accountId) };
}

/** The same with row locks, and the call's context in the time of the organization. */
export async function lockLinkedCard(call: WriteContext, text: string) {
  const seen = await findLinkedCard(call.db, text);
  if (!seen) return undefined;
  const { organizationId, accountId } = seen.row;
  const ctx = await inTimeOf(call, organizationId);
  await lockAccount(ctx.db, { organizationId, ownerUserId: null, accountId: null }, accountId, "share");
  await lockPayment(ctx.db, seen.first.id);
  const linked = await findLinkedCard(ctx.db, text);
  return linked && { ctx, linked };
}

/**
 * The states of the page. `unpaid`: a renewal waits for its money, so the customer pays it on its own page, whose card is
 * then the stored one. `over`: the link or its subscription has ended.
 */
export const cardPageStates = [
  "open",
  "processing",
  "requires_action",
  "changed",
  "failed",
  "unpaid",
  "unavailable",
  "over",
] as const;

/** The state of the page, and what belongs to it. */
export interface CardPageState {
  state: (typeof cardPageStates)[number];
  /** The attempts to store a card with this link, oldest first. */
  attempts: readonly Attempt[];
  /** In the state `unpaid`: the page of the payment request. */
  payUrl: string | null;
}

/** What the page can do now. */
export async function cardStateOf(ctx: ReadContext | WriteContext, linked: LinkedCard): Promise<CardPageState> {
  const { link, row, first, account } = linked;
  const attempts = await attemptsWithLink(ctx.db, first.id, link.hash);
  const payUrl = row.failedAt === null ? null : await openRenewal(ctx, row);
  const is = (state: CardPageState["state"]) => ({ state, attempts, payUrl });
  if (isOver(link, row, ctx.realNow)) return is("over");
  if (link.usedAt !== null) return is("changed");
  if (attempts.some(({ status }) => status === "requires_action")) return is("requires_action");
  if (attempts.some(isUnderWay)) return is("processing");
  if (!isAvailable(account) || cardProvider(row.livemode) === null) return is("unavailable");
  if (payUrl !== null) return is("unpaid");
  return is(hasFailed(attempts, null, ctx.now) ? "failed" : "open");
}

/** The page on which the renewal that failed can be paid now; null if nobody can pay there. */
async function openRenewal({ db, runtime, now }: ReadContext | WriteContext, row: SubscriptionRow) {
  const payment = await readPayment(db, row.latestPaymentId);
  if (!payment || refusalToPay(await factsOf(db, payment), now) !== null) return null;
  return paymentUrl(runtime, payment);
}
