// Settings → Server: how the server is, and what to do about what is wrong.
import { forbidden } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { viewer } from "@/app/_i18n/viewer";
import { userMay } from "@/app/_trpc/may";
import { api } from "@/app/_trpc/server";
import { requireUser } from "@/app/_trpc/session";
import { Card } from "@/app/_ui/page-frame";
import { SettingsHead, settingsTitle } from "../_parts/settings-head";
import classes from "../settings.module.css";
import { BackupRow, DatabaseRow, DiskRow, JobsRow, MailRow, ProofRow, VersionRow } from "./_parts/rows";
import rows from "./_parts/server-row.module.css";

const path = "/dashboard/settings/server";

export const generateMetadata = () => settingsTitle("server");

export default async function ServerSettingsPage() {
  const user = await requireUser(path);
  if (!userMay(user, "instance.read")) forbidden();
  const [t, reader, caller] = await Promise.all([getTranslations("serverSettings"), viewer(), api()]);
  const state = await caller.instance.state({});
  const { database, disk, backup, proof, jobs, mail, version } = state;
  const all = [version, database, ...(disk === null ? [] : [disk]), backup, proof, jobs, mail];
  const count = (health: string) => all.filter((one) => one.health === health).length;
  const [act, watch] = [count("act"), count("watch")];
  return (
    <>
      <SettingsHead current="server" />
      <div className={classes.parts}>
        <Card>
          <p className={rows.summary}>
            {[act > 0 && t("toAct", { count: act }), watch > 0 && t("toWatch", { count: watch })]
              .filter(Boolean)
              .join(" ") || t("allRight")}
          </p>
          <dl className={rows.list}>
            <BackupRow state={state} reader={reader} />
            <ProofRow state={state} reader={reader} />
            <JobsRow state={state} reader={reader} />
            <MailRow state={state} reader={reader} />
            <DatabaseRow state={state} reader={reader} />
            {disk !== null && <DiskRow disk={disk} reader={reader} />}
            <VersionRow state={state} />
          </dl>
        </Card>
        {state.is_shared && <p className={classes.note}>{t("shared")}</p>}
      </div>
    </>
  );
}
