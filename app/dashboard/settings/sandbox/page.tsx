// Settings → Sandbox: what time it is in the organization while it is in the sandbox. Admins move it forward, and repeat
// the events of its provider.
import { forbidden, notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { viewer } from "@/app/_i18n/viewer";
import { userMay } from "@/app/_trpc/may";
import { api } from "@/app/_trpc/server";
import { requireUser } from "@/app/_trpc/session";
import { dayOf } from "@/app/_ui/day-bounds";
import { DetailList } from "@/app/_ui/detail-list";
import { Instant } from "@/app/_ui/instant";
import { Card } from "@/app/_ui/page-frame";
import { dayMs, hourMs } from "@/server/kit/limits";
import { SettingsHead, settingsTitle } from "../_parts/settings-head";
import classes from "../settings.module.css";
import { MoveClock } from "./_parts/move-clock";
import { Storm } from "./_parts/storm";

export const generateMetadata = () => settingsTitle("sandbox");

export default async function SandboxPage() {
  const user = await requireUser("/dashboard/settings/sandbox");
  if (user.organization.mode !== "sandbox") notFound();
  if (!userMay(user, "sandbox.clock.read")) forbidden();
  const [t, { locale, timeZone }, caller] = await Promise.all([getTranslations("sandboxClock"), viewer(), api()]);
  const { now, offset_ms: aheadMs, running } = await caller.sandbox.clock({});
  const tomorrow = dayOf(new Date(Date.parse(now) + dayMs).toISOString(), timeZone);
  return (
    <>
      <SettingsHead current="sandbox" />
      <div className={classes.parts}>
        <Card title={t("clock")}>
          <DetailList
            items={[
              { label: t("now"), value: <Instant at={now} {...{ locale, timeZone }} /> },
              {
                label: t("ahead"),
                value:
                  aheadMs === 0
                    ? t("realTime")
                    : t("days", { days: Math.floor(aheadMs / dayMs), hours: Math.floor(aheadMs / hourMs) }),
              },
              { label: t("acts"), value: t(running ? "running" : "done") },
            ]}
          />
        </Card>
        {userMay(user, "sandbox.clock.move") && (
          <Card title={t("move")}>
            <p className={classes.text}>{t("help")}</p>
            <MoveClock {...{ tomorrow, timeZone }} isRunning={running} />
          </Card>
        )}
        {userMay(user, "sandbox.events") && (
          <Card title={t("storm")}>
            <p className={classes.text}>{t("stormHelp")}</p>
            <Storm />
          </Card>
        )}
      </div>
    </>
  );
}
