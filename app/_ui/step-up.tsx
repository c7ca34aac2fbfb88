// Step-up authentication in place: asks for the password, and the code of a second factor, when an action
// needs a fresh sign-in; then continues.
// const { withStepUp, field, isShownInField } = useStepUp(); send with withStepUp(() => api.accounts.close.mutate(…)),
// put {field} above the buttons, and hide errors for which isShownInField(error) is true: the field shows them.
"use client";
import { TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type ReactNode, type Ref, useEffect, useRef, useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { refusalCode, wrongPassword } from "@/app/_trpc/refusal";
import { limits } from "@/server/kit/limits";
import { PasswordField } from "./password-field";
import { Refusal } from "./refusal";

interface Ask {
  email: string;
  /** Why the field is shown, or is shown again. */
  error: unknown;
  /** The message at the field; null when it first appears. */
  problem: ReactNode;
  /** The password was right; the code is asked for too. */
  needsCode: boolean;
}

/** `field` appears, focused, once the server has asked for a fresh sign-in. The next submission signs in first. */
export function useStepUp() {
  const t = useTranslations("stepUp");
  const api = useTRPCClient();
  const [ask, setAsk] = useState<Ask | null>(null);
  const password = useRef<HTMLInputElement>(null);
  const code = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const asked = ask?.needsCode ? code : password;
    if (!ask) return;
    asked.current?.focus();
    asked.current?.select();
  }, [ask]);

  async function signIn({ email, needsCode }: Ask): Promise<void> {
    const typed = password.current?.value ?? "";
    const otp = needsCode ? (code.current?.value.trim() ?? "") : "";
    if (typed === "" || (needsCode && otp === "")) {
      const error = new Error("A field is empty.");
      const isPassword = typed === "";
      setAsk({ email, error, problem: t(isPassword ? "passwordMissing" : "codeMissing"), needsCode: !isPassword });
      throw error;
    }
    try {
      await api.sessions.signIn.mutate({ email, password: typed, ...(otp !== "" && { otp }) });
    } catch (error) {
      const refused = refusalCode(error);
      const isFirst = refused === "mfa_required" && !needsCode;
      const problem = isFirst ? null : <Refusal error={wrongPassword(error)} />;
      setAsk({ email, error, problem, needsCode: needsCode ? refused !== "invalid_credentials" : isFirst });
      throw error;
    }
    setAsk(null);
  }

  async function withStepUp<T>(act: () => Promise<T>): Promise<T> {
    if (ask) await signIn(ask);
    try {
      return await act();
    } catch (error) {
      if (refusalCode(error) === "reauthentication_required") {
        const { email } = await api.users.current.query({});
        setAsk({ email, error, problem: null, needsCode: false });
      }
      throw error;
    }
  }

  const field: ReactNode = ask && <Fields ask={ask} password={password} code={code} />;
  return { withStepUp, field, isShownInField: (error: unknown) => ask !== null && ask.error === error };
}

interface FieldsProps {
  ask: Ask;
  password: Ref<HTMLInputElement>;
  code: Ref<HTMLInputElement>;
}

function Fields({ ask, password, code }: FieldsProps) {
  const t = useTranslations("stepUp");
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
    </>
  );
}
