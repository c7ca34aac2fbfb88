// Says that a page failed, with the reference to look up in the log.
"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "next-intl";
import { CopyableId } from "./copyable-id";
import { EmptyState } from "./page-frame";

interface Props {
  error: Error & { digest?: string };
}

/** Loads everything again: what failed may have been on the server, which a new rendering alone would not ask. */
const retry = () => window.location.reload();

export function FailureNotice({ error }: Props) {
  const t = useTranslations("failure");
  const reference = error.digest !== undefined && (
    <>
      <br />
      {t("reference")} <CopyableId id={error.digest} />
    </>
  );
  const text = (
    <>
      {t("text")}
      {reference}
    </>
  );
  return (
    <EmptyState heading="h1" title={t("title")} text={text} action={<Button onClick={retry}>{t("retry")}</Button>} />
  );
}
