// The columns of the list of subscriptions: customer, amount per interval, status, next charge, card.
import { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import { CopyableId } from "@/app/_ui/copyable-id";
import type { Column } from "@/app/_ui/data-table";
import { Instant } from "@/app/_ui/instant";
import { StatusBadge } from "@/app/_ui/status-badge";
import { accountColumn } from "@/app/dashboard/_parts/account-column";
import { Party } from "@/app/dashboard/_parts/party";
import classes from "@/app/dashboard/_parts/record-columns.module.css";
import { payerOf, type Subscription, type Title } from "./subscription-path";
import { Price, useCard } from "./subscription-texts";
import texts from "./subscription-texts.module.css";

/** Subscriptions that charge nothing any more are dimmed. */
export const isOver = ({ status }: Subscription): boolean => status === "canceled" || status === "ended";

interface Options {
  reader: Viewer;
  /** By id. */
  titles: ReadonlyMap<string, Title>;
  /** The names of accounts by id; null if all subscriptions belong to one. */
  accounts: ReadonlyMap<string, string> | null;
}

/** The columns, in their order. */
export function useSubscriptionColumns({ reader, titles, accounts }: Options): Column<Subscription>[] {
  const t = useTranslations("subscriptions");
  const cardOf = useCard();
  const none = <span data-none>{t("none")}</span>;
  return [
    {
      key: "customer",
      label: t("customer"),
      isLink: true,
      place: "title",
      cell: (row) => <Payer title={titles.get(row.subscription_id)} />,
    },
    {
      key: "amount",
      label: t("amount"),
      align: "end",
      place: "amount",
      cell: (row) => <Price subscription={row} locale={reader.locale} isInList />,
    },
    {
      key: "status",
      label: t("status"),
      place: "detail",
      cell: (row) => <StatusBadge status={row.status} />,
    },
    {
      key: "next",
      label: t("nextCharge"),
      place: "detail",
      cell: (row) => <NextCharge subscription={row} reader={reader} />,
    },
    { key: "card", label: t("card"), place: "spare", cell: (row) => cardOf(row) ?? none },
    ...accountColumn<Subscription>({ label: t("account"), accounts }),
    { key: "created", label: t("created"), cell: (row) => <Instant at={row.created_at} isShort {...reader} /> },
    { key: "id", label: t("id"), cell: (row) => <CopyableId id={row.subscription_id} /> },
  ];
}

/** Who pays, and below it what for. */
function Payer({ title }: { title: Title | undefined }) {
  const t = useTranslations("subscriptions");
  const who = payerOf(title);
  const what = title?.description ?? null;
  if (who !== null && what !== null) return <Party isTitle who={who} what={what} />;
  const only = who ?? what ?? t("noCustomer");
  return (
    <span className={classes.name} title={only}>
      {only}
    </span>
  );
}

/** When it is charged next, or that it ends then. */
function NextCharge({ subscription, reader }: { subscription: Subscription; reader: Viewer }) {
  const t = useTranslations("subscriptions");
  const { cancel_at_period_end: endsThen, current_period_end: end, next_charge_at: next, status } = subscription;
  if (isOver(subscription)) return <span data-none>{t("none")}</span>;
  if (endsThen && end !== null) return t.rich("endsAt", { at: () => <Instant at={end} isDay {...reader} /> });
  if (status === "paused" && subscription.resume_at !== null) {
    const at = subscription.resume_at;
    return t.rich("resumesAt", { at: () => <Instant at={at} isDay {...reader} /> });
  }
  if (next === null) return <span data-none>{t("none")}</span>;
  const day = <Instant at={next} isDay {...reader} />;
  // Where there is no heading, the words say what the date is.
  return (
    <>
      <span className={texts.wide}>{day}</span>
      <span className={texts.narrow}>{t.rich("chargedAt", { at: () => day })}</span>
    </>
  );
}
