// The shell around the dashboard's pages. It draws; whether someone is signed in each page asks for itself.
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { TimeZoneReport } from "../_i18n/time-zone-report";
import { viewer } from "../_i18n/viewer";
import { currentUser } from "../_trpc/session";
import { NameMark } from "../_ui/name-mark";
import { NavLinks } from "./_parts/nav-links";
import { UserMenu } from "./_parts/user-menu";
import classes from "./layout.module.css";

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const [user, t, { reportedTimeZone }] = await Promise.all([currentUser(), getTranslations("app"), viewer()]);
  // The page below sends them to the sign-in page; there is nothing to draw around it.
  if (user === null) return children;
  const { name, mode } = user.organization;
  return (
    <>
      <a href="#content" className={classes.skip}>
        {t("skip")}
      </a>
      <header className={classes.header}>
        <div className={classes.bar}>
          <div className={classes.brand}>
            <NameMark name={t("name")} />
            {mode === "sandbox" && (
              <span className={classes.test} title={t("testMeaning")}>
                {t("test")}
                <span className="visually-hidden">{t("testMeaning")}</span>
              </span>
            )}
          </div>
          <NavLinks />
          <UserMenu name={user.name ?? user.email} email={user.email} role={user.role} organization={name} />
        </div>
      </header>
      <main id="content" tabIndex={-1} className={classes.main}>
        {children}
      </main>
      <TimeZoneReport known={reportedTimeZone} />
    </>
  );
}
