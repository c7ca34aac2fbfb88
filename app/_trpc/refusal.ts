// What a failed call means to the person who made it.
"use client";
import { TRPCClientError } from "@trpc/client";
import { useTranslations } from "next-intl";
import type messages from "@/messages/en.json";
import type { ErrorCode } from "@/server/kit/errors";
import type { AppRouter } from "@/server/router";

type Known = Exclude<keyof typeof messages.errors, "network" | "other" | "signIn" | "unknown" | "wrongPassword">;

/** A refused password of a person who gave no e-mail address, which could be wrong as well. */
class WrongPassword extends Error {}

/** The error to show for a refused call that carried the password of the person who is signed in. */
export const wrongPassword = (error: unknown): unknown =>
  refusalCode(error) === "invalid_credentials" ? new WrongPassword() : error;

/** The text for an error of a call, in the reader's words where we have them. */
export function useRefusalText(): (error: unknown) => string {
  const t = useTranslations("errors");
  return (error) => {
    if (error instanceof WrongPassword) return t("wrongPassword");
    if (!(error instanceof TRPCClientError)) return t("unknown");
    const { data } = error as TRPCClientError<AppRouter>;
    if (!data) return t("network");
    if (data.error_code === "internal_error") return t("unknown");
    if (t.has(data.error_code as Known)) return t(data.error_code as Known);
    return t("other", { description: data.error_description });
  };
}

/** The code of a refusal; null for any other failure. */
export const refusalCode = (error: unknown): ErrorCode | null =>
  error instanceof TRPCClientError ? ((error as TRPCClientError<AppRouter>).data?.error_code ?? null) : null;

/** Whether the call failed because nobody is signed in any more. */
export const isSignedOut = (error: unknown): boolean => refusalCode(error) === "unauthorized";
