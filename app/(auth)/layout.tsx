// The frame of the pages before sign-in: the name mark above one card.
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { TimeZoneReport } from "../_i18n/time-zone-report";
import { viewer } from "../_i18n/viewer";
import { NameMark } from "../_ui/name-mark";
import classes from "./layout.module.css";

export default async function AuthLayout({ children }: { children: ReactNode }) {
  const [t, { reportedTimeZone }] = await Promise.all([getTranslations("app"), viewer()]);
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <NameMark name={t("name")} />
      </header>
      <main className={classes.card}>
        {children}
        <noscript>
          <p className={classes.notice}>{t("noScript")}</p>
        </noscript>
      </main>
      {/* Reported before sign-in, so that no page of the dashboard has to be read twice. */}
      <TimeZoneReport known={reportedTimeZone} shown={null} />
    </div>
  );
}
