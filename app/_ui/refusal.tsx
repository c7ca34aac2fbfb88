// The error of a failed call in words, with a link where there is a next step: <Refusal error={mutation.error} />.
"use client";
import { useTranslations } from "next-intl";
import { isSignedOut, needsEnrollment, useRefusalText } from "../_trpc/refusal";

export function Refusal({ error }: { error: unknown }) {
  const refusalText = useRefusalText();
  return (
    <>
      {refusalText(error)} {isSignedOut(error) && <Onward to="/sign-in" text="signIn" />}
      {needsEnrollment(error) && <Onward to="/second-factor" text="setUpFactor" />}
    </>
  );
}

/** Leads to a page that leads back to this one. Calls fail only in browsers, so `location` exists. */
function Onward({ to, text }: { to: string; text: "setUpFactor" | "signIn" }) {
  const t = useTranslations("errors");
  const { pathname, search } = window.location;
  return <a href={`${to}?next=${encodeURIComponent(pathname + search)}`}>{t(text)}</a>;
}
