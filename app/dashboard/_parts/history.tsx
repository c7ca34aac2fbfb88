// The events of a payment request, a transaction, an account, a customer or a subscription: <History objectId={payment_id} reader={reader} />.

import { getTranslations } from "next-intl/server";
import type { Viewer } from "@/app/_i18n/viewer";
import { api, type Outputs } from "@/app/_trpc/server";
import { Link } from "@/app/_ui/link";
import { Card } from "@/app/_ui/page-frame";
import { Timeline, type TimelineEvent } from "@/app/_ui/timeline";
import { formatMoney } from "@/server/kit/currency";
import { limits } from "@/server/kit/limits";
import classes from "./history.module.css";
import { actsOf } from "./history-acts";
import { nameOf } from "./history-names";

type HistoryEvent = Outputs["events"]["timeline"]["data"][number];

export async function History({ objectId, reader }: { objectId: string; reader: Viewer }) {
  const [t, caller] = await Promise.all([getTranslations("history"), api()]);
  const { data, has_more } = await caller.events.timeline({ object_id: objectId, limit: limits.page.max });
  const titleOf = ({ type, data }: HistoryEvent): string => {
    const { currency, credit_note_number: number } = data;
    const amount = amountOf(data);
    const money =
      typeof amount === "number" && typeof currency === "string" ? formatMoney(amount, currency, reader.locale) : "";
    const name = nameOf(type, data);
    const key = `events.${name}` as "events.payment.created";
    return t.has(key) ? t(key, { amount: money, number: String(number) } as { amount: string }) : type;
  };
  const whoOf = ({ actor }: HistoryEvent): string | null =>
    actor && t("by", { who: actor.type, name: actor.name ?? t("someone") });
  const linked = (event: HistoryEvent) =>
    event.object_id === objectId ? (
      titleOf(event)
    ) : (
      <TransactionLink id={event.object_id}>{titleOf(event)}</TransactionLink>
    );
  const events = actsOf(data, objectId).map(
    ({ head, more }): TimelineEvent => ({
      key: head.event_id,
      at: head.created_at,
      title: linked(head),
      more: more.map((event) => ({ key: event.event_id, text: linked(event) })),
      by: whoOf(head),
      tone: toneOf(head.type),
    }),
  );
  return (
    <Card title={t("title")}>
      <Timeline label={t("title")} events={events} {...reader} />
      {has_more && <p className={classes.left}>{t("left", { count: limits.page.max })}</p>}
    </Card>
  );
}

/** The amount that an event is about: of a payment, what was captured of it. */
const amountOf = ({ type, amount, amount_captured: captured }: HistoryEvent["data"]): unknown =>
  type === "payment" && typeof captured === "number" && captured > 0 ? captured : amount;

const TransactionLink = ({ id, children }: { id: string; children: string }) => (
  <Link href={`/dashboard/transactions/${id}`} className={classes.link}>
    {children}
  </Link>
);

const tones: readonly [NonNullable<TimelineEvent["tone"]>, RegExp][] = [
  [
    "negative",
    /(failed|expired|overdue|disputed|many_declines|over_limit|past_due|dispute\.opened|dispute\.lost|dispute\.unexpected)$/,
  ],
  ["positive", /\.(paid|renewed|paid_late|succeeded|captured|used_up|won)$/],
  ["waiting", /\.(processing|requires_action|authorized|partially_paid)$/],
];

const toneOf = (type: string) => tones.find(([, pattern]) => pattern.test(type))?.[0];
