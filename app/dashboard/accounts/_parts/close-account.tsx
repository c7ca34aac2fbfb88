// Closes an account for good: says what ends with it, wants its name typed, and the password where the sign-in is not fresh.
"use client";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";
import { useStepUp } from "@/app/_ui/step-up";
import { ClosingList } from "./closing-list";

interface Props {
  id: string;
  name: string;
  /** Whether it is the reader's own, so that closing it signs the reader out. */
  isOwn: boolean;
  /** For numbers. */
  locale: string;
}

export function CloseAccount({ id, name, isOwn, locale }: Props) {
  const t = useTranslations("closeAccount");
  const api = useTRPCClient();
  const { withStepUp, field } = useStepUp();
  return (
    <ConfirmDialog
      label={t("close")}
      title={t("title", { name })}
      confirm={t("confirm")}
      isDanger
      typed={name}
      act={(key) =>
        withStepUp(() => api.accounts.close.mutate({ account_id: id }, { context: { idempotencyKey: key } }))
      }
      // A full load: nothing of what was rendered for a session that has ended stays.
      onDone={isOwn ? () => window.location.assign("/sign-in") : undefined}
    >
      <ClosingList id={id} isOwn={isOwn} locale={locale} />
      {field}
    </ConfirmDialog>
  );
}
