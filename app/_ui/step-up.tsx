// Step-up in place: where an act needs a fresh sign-in, asks for the password and then goes on.
// const { withStepUp, field } = useStepUp(); act={(key) => withStepUp(() => api.accounts.close.mutate(…))}, and {field} in the form.
"use client";
import { PasswordInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type ReactNode, useRef, useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { refusalCode, wrongPassword } from "@/app/_trpc/refusal";

/** `field` is there once the server has asked for a fresh sign-in; the next try signs in first. */
export function useStepUp() {
  const t = useTranslations("stepUp");
  const api = useTRPCClient();
  const [email, setEmail] = useState<string | null>(null);
  const password = useRef<HTMLInputElement>(null);

  async function withStepUp<T>(act: () => Promise<T>): Promise<T> {
    const typed = password.current?.value ?? "";
    // With nothing typed, the server asks again.
    if (email !== null && typed !== "") {
      await api.sessions.signIn.mutate({ email, password: typed }).catch((error) => {
        throw wrongPassword(error);
      });
      setEmail(null);
    }
    try {
      return await act();
    } catch (error) {
      if (refusalCode(error) === "reauthentication_required") setEmail((await api.users.current.query({})).email);
      throw error;
    }
  }

  const field: ReactNode = email !== null && (
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
  );
  return { withStepUp, field };
}
