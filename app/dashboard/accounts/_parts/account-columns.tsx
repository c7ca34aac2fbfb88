// The columns of the list of accounts: name and e-mail, kind, status, available balance in each currency.
import type { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import type { Outputs } from "@/app/_trpc/server";
import type { Column } from "@/app/_ui/data-table";
import { Instant } from "@/app/_ui/instant";
import { Money } from "@/app/_ui/money";
import { StatusBadge } from "@/app/_ui/status-badge";
import classes from "@/app/dashboard/_parts/record-columns.module.css";

export type Account = Outputs["accounts"]["list"]["data"][number];
type Texts = ReturnType<typeof useTranslations<"accounts">>;

export const accountColumns = (t: Texts, reader: Viewer): Column<Account>[] => [
  {
    key: "name",
    label: t("name"),
    isLink: true,
    place: "title",
    cell: (account) => (
      <>
        <span className={classes.name} title={account.account_name}>
          {account.account_name}
        </span>
        <span className={classes.below} title={account.email}>
          {account.email}
        </span>
        {account.owner_user_id === null && <span className={classes.below}>{t("noOwner")}</span>}
      </>
    ),
  },
  { key: "type", label: t("type"), place: "detail", cell: (account) => t(account.account_type) },
  {
    key: "status",
    label: t("status"),
    place: "detail",
    cell: (account) => <StatusBadge status={account.status} />,
  },
  {
    key: "balance",
    label: t("balance"),
    align: "end",
    place: "amount",
    cell: ({ balances }) =>
      balances.length === 0
        ? t("noBalance")
        : balances.map(({ currency, available }) => (
            <span key={currency} className={classes.line}>
              <Money amount={available} currency={currency} locale={reader.locale} withCode />
            </span>
          )),
  },
  {
    key: "created",
    label: t("created"),
    place: "detail",
    cell: (account) => <Instant at={account.created_at} isShort {...reader} aheadMs={0} />,
  },
  { key: "id", label: t("id"), cell: (account) => <code className={classes.id}>{account.account_id}</code> },
];
