// Erases the customer's personal data for good: says what goes and what stays, and asks for the name.
"use client";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";
import classes from "@/app/dashboard/_parts/consequences.module.css";

export function EraseCustomer({ id, name }: { id: string; name: string }) {
  const t = useTranslations("eraseCustomer");
  const api = useTRPCClient();
  return (
    <ConfirmDialog
      label={t("erase")}
      title={t("title", { name })}
      confirm={t("confirm")}
      isDanger
      typed={name}
      done={t("done")}
      act={(key) => api.customers.erase.mutate({ customer_id: id }, { context: { idempotencyKey: key } })}
    >
      <div className={classes.text}>
        <p>{t("permanent")}</p>
        <h3 className={classes.title}>{t("goes")}</h3>
        <ul className={classes.list}>
          <li>{t("customer")}</li>
          <li>{t("snapshots")}</li>
          <li>{t("mails")}</li>
        </ul>
        <h3 className={classes.title}>{t("stays")}</h3>
        <ul className={classes.list}>
          <li>{t("amounts")}</li>
          <li>{t("texts")}</li>
        </ul>
      </div>
    </ConfirmDialog>
  );
}
