// Takes back that a subscription is canceled at the end of its period.
"use client";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";

export function KeepSubscription({ id, name }: { id: string; name: string }) {
  const t = useTranslations("subscriptionActs");
  const api = useTRPCClient();
  return (
    <ConfirmDialog
      variant="filled"
      label={t("goOn")}
      title={t("goOnTitle", { name })}
      confirm={t("goOn")}
      done={t("goesOn", { name })}
      act={(key) =>
        api.subscriptions.resume.mutate(
          { subscription_id: id, cancel_at_period_end: false },
          { context: { idempotencyKey: key } },
        )
      }
    >
      <p>{t("goOnText")}</p>
    </ConfirmDialog>
  );
}
