// Says that a page failed, with the reference to look up in the log.
"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "next-intl";
import { CopyableId } from "./copyable-id";
import { EmptyState } from "./page-frame";

interface Props {
  error: Error & { digest?: string };
  reset(): void;
}

export function FailureNotice({ error, reset }: Props) {
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
    <EmptyState heading="h1" title={t("title")} text={text} action={<Button onClick={reset}>{t("retry")}</Button>} />
  );
}
