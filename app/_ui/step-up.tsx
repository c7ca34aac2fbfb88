// Step-up authentication in place: asks for the password, and the code of a second factor, when an action
// needs a fresh sign-in; then continues.
// const { withStepUp, field, isShownInField } = useStepUp(); send with withStepUp(() => api.accounts.close.mutate(…)),
// put {field} above the buttons, and hide errors for which isShownInField(error) is true: the field shows them.
"use client";
import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type ReactNode, type Ref, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTRPCClient } from "@/app/_trpc/client";
import { usePasskeys } from "@/app/_trpc/passkeys";
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
  /** The password was correct; a code is also required. */
  needsCode: boolean;
  /** The user, if a passkey would do instead. */
  passkeyOf: string | null;
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

  async function signIn(asked: Ask): Promise<void> {
    const { email, needsCode } = asked;
    const typed = password.current?.value ?? "";
    const otp = needsCode ? (code.current?.value.trim() ?? "") : "";
    if (typed === "" || (needsCode && otp === "")) {
      const error = new Error("A field is empty.");
      const isPassword = typed === "";
      setAsk({ ...asked, error, problem: t(isPassword ? "passwordMissing" : "codeMissing"), needsCode: !isPassword });
      throw error;
    }
    try {
      await api.sessions.signIn.mutate({ email, password: typed, ...(otp !== "" && { otp }) });
    } catch (error) {
      const refused = refusalCode(error);
      const isFirst = refused === "mfa_required" && !needsCode;
      const problem = isFirst ? null : <Refusal error={wrongPassword(error)} />;
      setAsk({ ...asked, error, problem, needsCode: needsCode ? refused !== "invalid_credentials" : isFirst });
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
        const [user, own] = await Promise.all([api.users.current.query({}), api.factors.own.query({})]);
        const passkeyOf = own.passkeys_offered && own.passkeys.length > 0 ? user.user_id : null;
        setAsk({ email: user.email, error, problem: null, needsCode: false, passkeyOf });
      }
      throw error;
    }
  }

  const field: ReactNode = ask && (
    <Fields ask={ask} password={password} code={code} onPasskey={() => flushSync(() => setAsk(null))} />
  );
  return { withStepUp, field, isShownInField: (error: unknown) => ask !== null && ask.error === error };
}

interface FieldsProps {
  ask: Ask;
  password: Ref<HTMLInputElement>;
  code: Ref<HTMLInputElement>;
  /** Signed in with a passkey: the form can be sent. */
  onPasskey(): void;
}

function Fields({ ask, password, code, onPasskey }: FieldsProps) {
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
