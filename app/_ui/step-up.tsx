// Step-up authentication in place: asks for the password when an action needs a fresh sign-in, then continues.
// const { withStepUp, field, isShownInField } = useStepUp(); send with withStepUp(() => api.accounts.close.mutate(…)),
// put {field} above the buttons, and hide errors for which isShownInField(error) is true: the field shows them.
"use client";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { refusalCode, wrongPassword } from "@/app/_trpc/refusal";
import { PasswordField } from "./password-field";
import { Refusal } from "./refusal";

interface Ask {
  email: string;
  /** Why the field is shown, or is shown again. */
  error: unknown;
  /** The message at the field; null when it first appears. */
  problem: ReactNode;
}

/** `field` appears, focused, once the server has asked for a fresh sign-in. The next submission signs in first. */
export function useStepUp() {
  const t = useTranslations("stepUp");
  const api = useTRPCClient();
  const [ask, setAsk] = useState<Ask | null>(null);
  const password = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!ask) return;
    password.current?.focus();
    password.current?.select();
  }, [ask]);

  async function signIn(email: string): Promise<void> {
    const typed = password.current?.value ?? "";
    if (typed === "") {
      const error = new Error("No password was typed.");
      setAsk({ email, error, problem: t("passwordMissing") });
      throw error;
    }
    try {
      await api.sessions.signIn.mutate({ email, password: typed });
    } catch (error) {
      setAsk({ email, error, problem: <Refusal error={wrongPassword(error)} /> });
      throw error;
    }
    setAsk(null);
  }

  async function withStepUp<T>(act: () => Promise<T>): Promise<T> {
    if (ask) await signIn(ask.email);
    try {
      return await act();
    } catch (error) {
      if (refusalCode(error) === "reauthentication_required") {
        setAsk({ email: (await api.users.current.query({})).email, error, problem: null });
      }
      throw error;
    }
  }

  const field: ReactNode = ask && (
    <>
      <input type="email" name="email" autoComplete="username" value={ask.email} readOnly hidden />
      <PasswordField
        ref={password}
        label={t("password")}
        description={t("passwordHelp", { email: ask.email })}
        error={ask.problem}
        autoComplete="current-password"
      />
    </>
  );
  return { withStepUp, field, isShownInField: (error: unknown) => ask !== null && ask.error === error };
}
