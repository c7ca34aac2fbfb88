// Explains a failed call to the person who made it.
"use client";
import { TRPCClientError } from "@trpc/client";
import { useTranslations } from "next-intl";
import type messages from "@/messages/en.json";
import type { ErrorCode } from "@/server/kit/errors";
import type { AppRouter } from "@/server/pipeline/trpc-router";

type Known = Exclude<
  keyof typeof messages.errors,
  "changedElsewhere" | "network" | "other" | "passkeyFailed" | "setUpFactor" | "signIn" | "unknown" | "wrongPassword"
>;

/** A wrong password in a form that asks for nothing else, so its text does not mention the e-mail address. */
class WrongPassword extends Error {}

/** The browser used no passkey: the user canceled, or has none that fits. */
export class PasskeyFailed extends Error {}

/** The record has changed since the reader saw it, in a form that shows no one else's changes. */
class ChangedElsewhere extends Error {}

/** The error to show for a refused call that named the version which the reader saw. */
export const changedElsewhere = (error: unknown): unknown =>
  refusalCode(error) === "version_conflict" ? new ChangedElsewhere() : error;

/** The error to show for a refused call that sent the password of the signed-in user. */
export const wrongPassword = (error: unknown): unknown =>
  refusalCode(error) === "invalid_credentials" ? new WrongPassword() : error;

/** The text for a call's error, from the catalog if it has one. */
export function useRefusalText(): (error: unknown) => string {
  const t = useTranslations("errors");
  return (error) => {
    if (error instanceof WrongPassword) return t("wrongPassword");
    if (error instanceof ChangedElsewhere) return t("changedElsewhere");
    if (error instanceof PasskeyFailed) return t("passkeyFailed");
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

/** Whether the call failed because the user must set up a second factor first. */
export const needsEnrollment = (error: unknown): boolean => refusalCode(error) === "mfa_enrollment_required";

/** Whether the call failed because the session has ended. */
export const isSignedOut = (error: unknown): boolean => refusalCode(error) === "unauthorized";
