// Shown for unknown addresses. Only users have a dashboard to go to; strangers come here by a wrong link.
import { getTranslations } from "next-intl/server";
import { currentUser } from "./_trpc/session";
import { ButtonLink } from "./_ui/button-link";
import { NameMark } from "./_ui/name-mark";
import { EmptyState } from "./_ui/page-frame";
import classes from "./not-found.module.css";

export default async function NotFound() {
  const [t, app, user] = await Promise.all([
    getTranslations("notFound"),
    getTranslations("app"),
    // Without an answer, the page is the one for strangers.
    currentUser().catch(() => null),
  ]);
  return (
    <main className={classes.page}>
      <header className={classes.header}>
        <NameMark name={app("name")} />
      </header>
      <EmptyState
        heading="h1"
        title={t("title")}
        text={t("text")}
        action={user && <ButtonLink href="/dashboard">{t("home")}</ButtonLink>}
      />
    </main>
  );
}
