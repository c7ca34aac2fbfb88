// Says that a page failed, with the reference to look up in the log.
"use client";
import { useTranslations } from "next-intl";
import { CopyableId } from "./copyable-id";
import { EmptyState } from "./page-frame";
import { ReloadButton } from "./reload-button";

interface Props {
  error: Error & { digest?: string };
}

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
  const action = <ReloadButton>{t("retry")}</ReloadButton>;
  return <EmptyState heading="h1" title={t("title")} text={text} action={action} />;
}
