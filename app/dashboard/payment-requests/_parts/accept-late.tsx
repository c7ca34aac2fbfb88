// Keeps money that arrived after the end of a payment request.
"use client";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";

/** `title` is the payment request's. */
export function AcceptLate({ id, title }: { id: string; title: string }) {
  const t = useTranslations("lateMoney");
  const api = useTRPCClient();
  return (
    <ConfirmDialog
      label={t("keep")}
      title={t("title", { title })}
      confirm={t("keep")}
      act={(key) => api.payments.acceptLate.mutate({ payment_id: id }, { context: { idempotencyKey: key } })}
      done={t("kept", { title })}
    >
      {t("text")}
    </ConfirmDialog>
  );
}
