// The error of a failed call in words, with a link where there is a next step: <Refusal error={mutation.error} />.
"use client";
import { useTranslations } from "next-intl";
import { isSignedOut, needsEnrollment, useRefusalText } from "../_trpc/refusal";

export function Refusal({ error }: { error: unknown }) {
  const t = useTranslations("errors");
  const refusalText = useRefusalText();
  return (
    <>
      {refusalText(error)}
      {isSignedOut(error) && (
        // In another tab, because what was entered here would be lost. The session is that of the browser.
        <>
          {" "}
          <a href="/sign-in" target="_blank" rel="noopener">
            {t("signIn")}
          </a>{" "}
          {t("thenRetry")}
        </>
      )}
      {needsEnrollment(error) && <SetUpFactor text={t("setUpFactor")} />}
    </>
  );
}

/** Leads to a page that leads back to this one. Calls fail only in browsers, so `location` exists. */
function SetUpFactor({ text }: { text: string }) {
  const { pathname, search } = window.location;
  return (
    <>
      {" "}
      <a href={`/second-factor?next=${encodeURIComponent(pathname + search)}`}>{text}</a>
    </>
  );
}
