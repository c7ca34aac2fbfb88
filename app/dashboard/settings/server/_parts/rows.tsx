// The rows of the page, each with its facts.
import { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import { bytesText } from "@/app/_ui/bytes-text";
import { Instant } from "@/app/_ui/instant";
import { Link } from "@/app/_ui/link";
import { Fact, More, ServerRow, type State } from "./server-row";

interface Props {
  state: State;
  reader: Viewer;
}

export function BackupRow({ state: { backup, database }, reader }: Props) {
  const t = useTranslations("serverSettings.backup");
  const { made_at: at, bytes, folder } = backup;
  return (
    <ServerRow part="backup" judged={backup}>
      <Fact>{at === null ? t("none") : <Instant at={at} {...reader} />}</Fact>
      {at !== null && (
        <More>
          {t(backup.is_proved ? "proved" : "notProved")}
          {bytes !== null && folder !== null && <> {t("where", { size: bytesText(bytes, reader.locale), folder })}</>}
        </More>
      )}
      {at === null && database.engine === "postgres" && <More>{t("postgres")}</More>}
    </ServerRow>
  );
}

export function ProofRow({ state: { proof }, reader }: Props) {
  const t = useTranslations("serverSettings.proof");
  const { proved_at: at, covered } = proof;
  return (
    <ServerRow part="proof" judged={proof}>
      <Fact>{at === null ? t("none") : <Instant at={at} {...reader} />}</Fact>
      {covered !== null && <More>{t("covered", covered)}</More>}
    </ServerRow>
  );
}

export function JobsRow({ state: { jobs }, reader }: Props) {
  const t = useTranslations("serverSettings.jobs");
  const { due, due_since: since, failed, counted } = jobs;
  const most = (count: number) => (count < counted ? "count" : "most");
  return (
    <ServerRow part="jobs" judged={jobs}>
      <Fact>
        {since === null && t("none")}
        {since !== null && due === null && t("some")}
        {since !== null && due !== null && t("due", { count: due, bound: most(due) })}
      </Fact>
      {since !== null && (
        <More>
          {t("since")} <Instant at={since} {...reader} />
        </More>
      )}
      {failed > 0 && (
        <More>
          {t("failed", { count: failed, bound: most(failed) })} <Link href="/dashboard/jobs">{t("show")}</Link>
        </More>
      )}
    </ServerRow>
  );
}

export function MailRow({ state: { mail }, reader }: Props) {
  const t = useTranslations("serverSettings.mail");
  const { server, failed_at: at } = mail;
  return (
    <ServerRow part="mail" judged={mail}>
      <Fact>
        {server ?? t("none")} <Link href="/dashboard/settings/mail">{t("settings")}</Link>
      </Fact>
      {at !== null && (
        <More>
          {t("failed")} <Instant at={at} {...reader} /> <Link href="/dashboard/mails?status=failed">{t("show")}</Link>
        </More>
      )}
    </ServerRow>
  );
}

export function DatabaseRow({ state: { database }, reader: { locale } }: Props) {
  const t = useTranslations("serverSettings.database");
  const { engine, engine_version: version, bytes, write_ahead_log_bytes: log } = database;
  return (
    <ServerRow part="database" judged={database}>
      <Fact>
        {t(engine)} {version}
      </Fact>
      {bytes !== null && (
        <More>
          {t("size", { size: bytesText(bytes, locale) })}
          {log !== null && <> {t("log", { size: bytesText(log, locale) })}</>}
        </More>
      )}
      {engine === "postgres" && <More>{t("disk")}</More>}
    </ServerRow>
  );
}

export function DiskRow({ disk, reader: { locale } }: { disk: NonNullable<State["disk"]>; reader: Viewer }) {
  const t = useTranslations("serverSettings.disk");
  const { bytes, free_bytes: free } = disk;
  return (
    <ServerRow part="disk" judged={disk}>
      <Fact>
        {bytes === null || free === null
          ? t("hidden")
          : t("free", { free: bytesText(free, locale), size: bytesText(bytes, locale) })}
      </Fact>
    </ServerRow>
  );
}

export function VersionRow({ state: { version } }: Pick<Props, "state">) {
  const t = useTranslations("serverSettings.version");
  return (
    <ServerRow part="version" judged={version}>
      <Fact>{t("product", { version: version.product })}</Fact>
      <More>{t("node", { version: version.node })}</More>
      <More>{t("zones", { release: version.zone_data ?? "–" })}</More>
    </ServerRow>
  );
}
