// Sends the link to a new address again, or keeps the current address.
"use client";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";
import classes from "./pending-email.module.css";

export function PendingEmailActs({ email, current }: { email: string; current: string }) {
  const t = useTranslations("email");
  const api = useTRPCClient();
  return (
    <div className={classes.acts}>
      <ConfirmDialog
        label={t("again")}
        title={t("againTitle")}
        confirm={t("again")}
        size="compact-sm"
        done={t("againDone", { to: email })}
        act={(key) => api.users.changeEmail.mutate({ email }, { context: { idempotencyKey: key } })}
      >
        {t("againText", { to: email })}
      </ConfirmDialog>
      <ConfirmDialog
        label={t("keep")}
        title={t("keepTitle")}
        confirm={t("keep")}
        size="compact-sm"
        done={t("kept", { email: current })}
        act={(key) => api.users.cancelEmailChange.mutate({}, { context: { idempotencyKey: key } })}
      >
        {t("keepText", { to: email, email: current })}
      </ConfirmDialog>
    </div>
  );
}
