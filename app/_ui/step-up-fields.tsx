// The fields of step-up: the password, the code of a second factor, or a passkey instead.
"use client";
import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type RefObject, useEffect } from "react";
import { usePasskeys } from "@/app/_trpc/passkeys";
import { limits } from "@/server/kit/limits";
import { PasswordField } from "./password-field";
import { Refusal } from "./refusal";
import type { Ask } from "./step-up";

interface FieldsProps {
  ask: Ask;
  password: RefObject<HTMLInputElement | null>;
  code: RefObject<HTMLInputElement | null>;
  /** Signed in with a passkey: the form can be sent. */
  onPasskey(): void;
}

export function Fields({ ask, password, code, onPasskey }: FieldsProps) {
  const t = useTranslations("stepUp");
  useEffect(() => {
    const asked = ask.needsCode ? code : password;
    asked.current?.focus();
    asked.current?.select();
  }, [ask, password, code]);
  return (
    <>
      <input type="email" name="email" autoComplete="username" value={ask.email} readOnly hidden />
      <PasswordField
        ref={password}
        label={t("password")}
        description={t("passwordHelp", { email: ask.email })}
        error={ask.needsCode ? null : ask.problem}
        autoComplete="current-password"
      />
      {ask.needsCode && (
        <TextInput
          ref={code}
          label={t("code")}
          description={t("codeHelp")}
          error={ask.problem}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={limits.oneTimeCode}
        />
      )}
      {ask.passkeyOf !== null && <PasskeyInstead userId={ask.passkeyOf} onDone={onPasskey} />}
    </>
  );
}

/** Signs in with a passkey instead, then sends the form. */
function PasskeyInstead({ userId, onDone }: { userId: string; onDone(): void }) {
  const t = useTranslations("stepUp");
  const passkeys = usePasskeys();
  const mutation = useMutation({
    mutationFn: (_form: HTMLFormElement | null) => passkeys.signIn(userId),
    onSuccess(_answer, form) {
      onDone();
      form?.requestSubmit();
    },
  });
  return (
    <div>
      <Button
        variant="default"
        loading={mutation.isPending}
        onClick={(event) => mutation.mutate(event.currentTarget.closest("form"))}
      >
        {t("passkey")}
      </Button>
      <p role="alert">{mutation.error && <Refusal error={mutation.error} />}</p>
    </div>
  );
}
