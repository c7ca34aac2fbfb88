// The error of a failed call in words, with a link where there is a next step: <Refusal error={mutation.error} />.
"use client";
import { useTranslations } from "next-intl";
import { isSignedOut, useRefusalText } from "../_trpc/refusal";

export function Refusal({ error }: { error: unknown }) {
  const refusalText = useRefusalText();
  return (
    <>
      {refusalText(error)} {isSignedOut(error) && <SignInAgain />}
    </>
  );
}

/** Leads back to this page. Calls fail only in browsers, so `location` exists. */
function SignInAgain() {
  const t = useTranslations("errors");
  const { pathname, search } = window.location;
  return <a href={`/sign-in?next=${encodeURIComponent(pathname + search)}`}>{t("signIn")}</a>;
}
