// Shown for unknown addresses.
import { getTranslations } from "next-intl/server";
import { ButtonLink } from "./_ui/button-link";
import { EmptyState } from "./_ui/page-frame";

export default async function NotFound() {
  const t = await getTranslations("notFound");
  return (
    <main>
      <EmptyState
        heading="h1"
        title={t("title")}
        text={t("text")}
        action={<ButtonLink href="/dashboard">{t("home")}</ButtonLink>}
      />
    </main>
  );
}
