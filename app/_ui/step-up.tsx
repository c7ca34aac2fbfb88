// Step-up authentication in place: asks for the password, and the code of a second factor, when an action
// needs a fresh sign-in; then continues.
// const { withStepUp, field, isShownInField } = useStepUp(); send with withStepUp(() => api.accounts.close.mutate(…)),
// put {field} above the buttons, and hide errors for which isShownInField(error) is true: the field shows them.
"use client";
import { useTranslations } from "next-intl";
import { type ReactNode, Suspense, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTRPCClient } from "@/app/_trpc/client";
import { refusalCode, wrongPassword } from "@/app/_trpc/refusal";
import { onDemand } from "./on-demand";
import { Refusal } from "./refusal";

const loadFields = async () => (await import("./step-up-fields")).Fields;
const Fields = onDemand(loadFields);

export interface Ask {
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
        const asked = [api.users.current.query({}), api.factors.own.query({}), loadFields()] as const;
        const [user, own] = await Promise.all(asked);
        const passkeyOf = own.passkeys_offered && own.passkeys.length > 0 ? user.user_id : null;
        setAsk({ email: user.email, error, problem: null, needsCode: false, passkeyOf });
      }
      throw error;
    }
  }

  const field: ReactNode = ask && (
    <Suspense>
      <Fields ask={ask} password={password} code={code} onPasskey={() => flushSync(() => setAsk(null))} />
    </Suspense>
  );
  return { withStepUp, field, isShownInField: (error: unknown) => ask !== null && ask.error === error };
}
