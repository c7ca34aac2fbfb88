// Tells admins on every page that work has failed for good, as long as there is such work.
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { api } from "@/app/_trpc/server";
import classes from "./jobs-notice.module.css";

export async function JobsNotice() {
  const [t, caller] = await Promise.all([getTranslations("jobs"), api()]);
  const { total_count: count } = await caller.jobs.dead({ limit: 1, include_total: true });
  if (!count) return null;
  return (
    <p className={classes.notice}>
      {t("notice", { count })} <Link href="/dashboard/jobs">{t("see")}</Link>
    </p>
  );
}
