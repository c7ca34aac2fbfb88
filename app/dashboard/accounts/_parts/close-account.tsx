// Closes an account for good: says what ends with it, wants its name typed, and the password where the sign-in is not fresh.
"use client";
import { PasswordInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { refusalCode } from "@/app/_trpc/refusal";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";
import { ClosingList } from "./closing-list";

interface Props {
  id: string;
  name: string;
  /** The address that the reader signs in with. */
  email: string;
  /** Whether it is the reader's own, so that closing it signs the reader out. */
  isOwn: boolean;
  /** For numbers. */
  locale: string;
}

export function CloseAccount({ id, name, email, isOwn, locale }: Props) {
  const t = useTranslations("closeAccount");
  const api = useTRPCClient();
  const [isStale, setIsStale] = useState(false);
  const password = useRef<HTMLInputElement>(null);

  async function close(key: string) {
    if (isStale) {
      await api.sessions.signIn.mutate({ email, password: password.current?.value ?? "" });
      setIsStale(false);
    }
    try {
      await api.accounts.close.mutate({ account_id: id }, { context: { idempotencyKey: key } });
    } catch (error) {
      if (refusalCode(error) === "reauthentication_required") setIsStale(true);
      throw error;
    }
  }
  return (
    <ConfirmDialog
      label={t("close")}
      title={t("title", { name })}
      confirm={t("confirm")}
      isDanger
      typed={name}
      act={close}
      // A full load: nothing of what was rendered for a session that has ended stays.
      onDone={isOwn ? () => window.location.assign("/sign-in") : undefined}
    >
      <ClosingList id={id} isOwn={isOwn} locale={locale} />
      {isStale && (
        <>
          <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
          <PasswordInput
            ref={password}
            label={t("password")}
            description={t("passwordHelp", { email })}
            autoComplete="current-password"
            visibilityToggleButtonProps={{ "aria-label": t("showCharacters"), tabIndex: 0 }}
          />
        </>
      )}
    </ConfirmDialog>
  );
}
