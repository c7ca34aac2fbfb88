// The first things to know about an account: that it is closed, has no owner, or numbers invoices like another one.
import { useTranslations } from "next-intl";
import type { Account } from "./account-columns";
import classes from "./account-notices.module.css";

export function AccountNotices({ account }: { account: Account }) {
  const t = useTranslations("accounts");
  const { prefix_conflict: conflict } = account.preferences.invoice;
  return (
    <>
      {account.status === "closed" && <Notice title={t("closedTitle")} text={t("closedText")} />}
      {account.owner_user_id === null && <Notice title={t("orphanTitle")} text={t("orphanText")} />}
      {conflict && (
        <Notice
          title={t("conflictTitle")}
          text={t("conflictText", {
            name: conflict.account_name ?? t("conflictOther"),
            prefix: conflict.proposed_prefix,
          })}
        />
      )}
    </>
  );
}

function Notice({ title, text }: { title: string; text: string }) {
  return (
    <div className={classes.notice}>
      <p className={classes.title}>{title}</p>
      <p className={classes.text}>{text}</p>
    </div>
  );
}
