// The shell around the dashboard's pages: skip link, navigation, top bar. Each page checks the session itself.

import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { Link } from "@/app/_ui/link";
import { TimeZoneReport } from "../_i18n/time-zone-report";
import { viewer } from "../_i18n/viewer";
import { mayOnlyRead, userMay } from "../_trpc/may";
import { partOfPage } from "../_trpc/part-of-page";
import { api } from "../_trpc/server";
import { currentUser } from "../_trpc/session";
import { NameMark } from "../_ui/name-mark";
import { OrganizationTime } from "../_ui/organization-time";
import { OutcomeArea } from "../_ui/outcome";
import { SavedViews } from "../_ui/saved-views";
import { Attention } from "./_parts/attention";
import { NavDrawer } from "./_parts/nav-drawer";
import { NavLinks, type NavPage } from "./_parts/nav-links";
import { NavPlace } from "./_parts/nav-place";
import { goalsFor } from "./_parts/palette/goals";
import { PaletteButton } from "./_parts/palette/palette-button";
import { SandboxTime } from "./_parts/sandbox-time";
import { Shortcuts } from "./_parts/shortcuts";
import { ThemeMenu } from "./_parts/theme-menu";
import { Unverified } from "./_parts/unverified";
import { UserMenu } from "./_parts/user-menu";
import { ViewerNotice } from "./_parts/viewer-notice";
import classes from "./layout.module.css";

type User = NonNullable<Awaited<ReturnType<typeof currentUser>>>;

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const [user, t, { locale, timeZone, reportedTimeZone }] = await Promise.all([
    currentUser(),
    getTranslations("app"),
    viewer(),
  ]);
  // The page sends them to sign in, or to set up a second factor, so there is no shell to render.
  if (user === null || user.must_set_up_factor) return children;
  const { name: organization, mode, clock } = user.organization;
  const mayCreate = userMay(user, "payments.create");
  const [account, views] = await Promise.all([userMay(user, "accounts.list") ? null : onlyAccount(), savedViews()]);
  const hidden = hiddenFrom(user);
  const mark = (
    <Link href="/dashboard" className={classes.home}>
      <NameMark name={t("name")} />
    </Link>
  );
  return (
    <SavedViews saved={views}>
      <NavPlace>
        <div className={classes.shell}>
          <a href="#content" className={classes.skip}>
            {t("skip")}
          </a>
          <header className={classes.bar}>
            <NavDrawer hidden={hidden} />
            <div className={classes.barMark}>{mark}</div>
            <p className={classes.place}>
              <span className={classes.organization}>{organization}</span>
              {account !== null && <span className={classes.account}>{account}</span>}
            </p>
            {mode === "sandbox" && <TestMark />}
            <div className={classes.tools}>
              <PaletteButton
                offer={{
                  ...goalsFor((rule) => userMay(user, rule) && (mode === "sandbox" || rule !== "sandbox.clock.read")),
                  locale,
                  timeZone,
                }}
              />
              <ThemeMenu />
              <UserMenu
                name={user.name}
                email={user.email}
                role={user.role}
                organization={organization}
                mayCreate={mayCreate}
              />
            </div>
          </header>
          <aside aria-label={t("sidebar")} className={classes.side}>
            <div className={classes.sideMark}>{mark}</div>
            <NavLinks hidden={hidden} />
          </aside>
          <main id="content" tabIndex={-1} className={classes.main}>
            <OutcomeArea>
              <Notices user={user} />
              <OrganizationTime aheadMs={clock.offset_ms}>
                <div className={classes.page}>{children}</div>
              </OrganizationTime>
            </OutcomeArea>
          </main>
          <Shortcuts mayCreate={mayCreate} />
          <TimeZoneReport known={reportedTimeZone} shown={user.timezone === null ? timeZone : null} />
        </div>
      </NavPlace>
    </SavedViews>
  );
}

/** Says that no real money moves. */
function TestMark() {
  const t = useTranslations("app");
  return (
    <span className={classes.test} title={t("testMeaning")}>
      {t("test")}
      <span className="visually-hidden">{t("testMeaning")}</span>
    </span>
  );
}

/** What every page says above its content. */
function Notices({ user }: { user: User }) {
  const { clock, mode } = user.organization;
  const onlyReads = mayOnlyRead(user);
  return (
    <>
      {clock.offset_ms > 0 && <SandboxTime clock={clock} mayOpen={userMay(user, "sandbox.clock.read")} />}
      {onlyReads && <ViewerNotice />}
      {/* What viewers may do needs no confirmed address. */}
      {user.email_verified_at === null && !onlyReads && <Unverified email={user.email} isLive={mode === "live"} />}
      {userMay(user, "jobs.read") && (
        <Attention
          mayRefund={userMay(user, "transactions.create.refund")}
          mayDismiss={userMay(user, "attention.dismiss")}
          mayReadKeys={userMay(user, "apiKeys.read")}
        />
      )}
    </>
  );
}

async function savedViews() {
  const found = await partOfPage((await api()).views.list({}));
  return found?.data ?? [];
}

/** The pages of the menu that the user may not open. */
const hiddenFrom = (user: User): NavPage[] => [
  ...(userMay(user, "users.list") ? [] : (["users"] as const)),
  ...(userMay(user, "mails.server") ? [] : (["settings"] as const)),
  ...(userMay(user, "apiKeys.read") ? [] : (["apiKeys"] as const)),
  ...(userMay(user, "audit.read") ? [] : (["auditLog"] as const)),
  ...(userMay(user, "jobs.read") ? [] : (["jobs"] as const)),
];

/** The account of a member who has exactly one; null for a member with several. */
async function onlyAccount(): Promise<string | null> {
  const caller = await api();
  const { data } = await caller.accounts.own({ limit: 2 });
  return data.length === 1 ? (data[0]?.account_name ?? null) : null;
}
