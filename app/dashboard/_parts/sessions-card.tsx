// A user's sessions that have not ended: device, address, last use, and the buttons that end them.
import { getTranslations } from "next-intl/server";
import type { Viewer } from "@/app/_i18n/viewer";
import { api, type Outputs } from "@/app/_trpc/server";
import { type Column, DataTable } from "@/app/_ui/data-table";
import { deviceName } from "@/app/_ui/device-name";
import { Instant } from "@/app/_ui/instant";
import { Card } from "@/app/_ui/page-frame";
import { limits } from "@/server/kit/limits";
import { EndSession, EndSessions } from "./end-sessions";
import classes from "./sessions-card.module.css";

type Session = Outputs["sessions"]["list"]["data"][number];

/** The sessions that have neither ended nor expired; a user has at most as many as a page holds. */
export async function liveSessionsOf(userId: string): Promise<Session[]> {
  const caller = await api();
  const { data } = await caller.sessions.list({ user_id: userId, status: ["active"], limit: limits.page.max });
  const now = Date.now();
  return data.filter((session) => Date.parse(session.expires_at) > now);
}

interface Props {
  userId: string;
  /** The user's; left out for the reader's own sessions. */
  name?: string;
  sessions: readonly Session[];
  isOwn: boolean;
  mayEnd: boolean;
  reader: Viewer;
}

export async function SessionsCard({ userId, name, sessions, isOwn, mayEnd, reader }: Props) {
  const t = await getTranslations("sessions");
  const nameOf = ({ user_agent }: Session) => deviceName(user_agent) ?? t("unknownDevice");
  const columns: Column<Session>[] = [
    {
      ...{ key: "device", label: t("device"), place: "title" },
      cell: (session) => (
        <>
          <span className={classes.device}>
            {nameOf(session)}
            {session.is_current && <span className={classes.current}>{t("current")}</span>}
          </span>
          {session.device_anomalies > 0 && (
            <span className={classes.anomaly} data-warning>
              {t("anomaly", { count: session.device_anomalies })}
            </span>
          )}
        </>
      ),
    },
    {
      ...{ key: "kind", label: t("kind"), place: "text" },
      cell: (session) => (
        <>
          {t(`kinds.${session.kind}`)}
          {session.client_version !== null && <span className={classes.note}>{session.client_version}</span>}
          {session.device_id !== null && <span className={classes.note}>{session.device_id}</span>}
        </>
      ),
    },
    { key: "ip", label: t("ip"), place: "text", cell: (session) => session.ip ?? t("unknownAddress") },
    {
      ...{ key: "seen", label: t("seen"), place: "amount" },
      cell: (session) => <Instant at={session.last_seen_at} isShort {...reader} />,
    },
    { key: "created", label: t("created"), cell: (session) => <Instant at={session.created_at} {...reader} /> },
  ];
  const end: Column<Session> = {
    key: "end",
    label: t("action"),
    align: "end",
    place: "action",
    cell: (session) => <EndSession id={session.session_id} name={nameOf(session)} isCurrent={session.is_current} />,
  };
  return (
    <section aria-labelledby="sessions">
      <div className={classes.head}>
        <h2 id="sessions" className={classes.heading}>
          {t("title")}
        </h2>
        {mayEnd && sessions.length > 0 && (
          <EndSessions userId={userId} name={name} isOwn={isOwn} count={sessions.length} />
        )}
      </div>
      <Card padded={sessions.length === 0}>
        {sessions.length === 0 ? (
          <p className={classes.none}>{t("none")}</p>
        ) : (
          <DataTable
            label={t("title")}
            columns={mayEnd ? [...columns, end] : columns}
            rows={sessions}
            rowKey={(session) => session.session_id}
          />
        )}
      </Card>
    </section>
  );
}
