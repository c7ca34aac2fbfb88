// Says on every page what time it is in a sandbox organization whose clock was moved.
import { getTranslations } from "next-intl/server";
import { viewer } from "@/app/_i18n/viewer";
import { Instant } from "@/app/_ui/instant";
import { Link } from "@/app/_ui/link";
import { dayMs, hourMs } from "@/server/kit/limits";
import classes from "./attention.module.css";

interface Props {
  clock: { offset_ms: number; running: boolean };
  /** Whether the reader may open the page of the clock. */
  mayOpen: boolean;
}

export async function SandboxTime({ clock: { offset_ms: aheadMs, running: isRunning }, mayOpen }: Props) {
  const [t, reader] = await Promise.all([getTranslations("sandboxTime"), viewer()]);
  const { locale, timeZone } = reader;
  const at = new Date(Date.now() + aheadMs).toISOString();
  return (
    <p className={classes.clock}>
      {t.rich("text", {
        ...{ days: Math.floor(aheadMs / dayMs), hours: Math.floor(aheadMs / hourMs) },
        at: () => <Instant at={at} {...{ locale, timeZone }} />,
      })}
      {isRunning && ` ${t("running")}`} {mayOpen && <Link href="/dashboard/settings/sandbox">{t("open")}</Link>}
    </p>
  );
}
