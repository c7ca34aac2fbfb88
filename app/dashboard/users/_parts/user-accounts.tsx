// The accounts that a user owns, each linked to its page.
import { useTranslations } from "next-intl";
import type { Outputs } from "@/app/_trpc/server";
import { Link } from "@/app/_ui/link";
import { Card } from "@/app/_ui/page-frame";
import { StatusBadge } from "@/app/_ui/status-badge";
import classes from "./user-accounts.module.css";

interface Props {
  user: Pick<Outputs["users"]["get"], "accounts" | "has_more_accounts">;
  /** Whether the reader may assign owners. */
  mayAssign: boolean;
}

export function UserAccounts({ user: { accounts, has_more_accounts: hasMore }, mayAssign }: Props) {
  const t = useTranslations("users");
  return (
    <Card title={t("accounts")}>
      {accounts.length === 0 && <p className={classes.none}>{t("noAccounts")}</p>}
      {accounts.length > 0 && (
        <ul className={classes.list}>
          {accounts.map(({ account_id: id, account_name: name, status }) => (
            <li key={id} className={classes.row}>
              <Link href={`/dashboard/accounts/${id}`} className={classes.link}>
                {name}
              </Link>
              <StatusBadge status={status} />
            </li>
          ))}
        </ul>
      )}
      {hasMore && <p className={classes.none}>{t("moreAccounts")}</p>}
      {mayAssign && accounts.length > 0 && <p className={classes.none}>{t("assignHint")}</p>}
    </Card>
  );
}
