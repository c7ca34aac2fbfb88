// The buttons that end sessions: one, all others, all. Ending the reader's own session leads to the sign-in page.
"use client";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";
import { signInAfter } from "@/app/_ui/ended-session";
import classes from "./end-sessions.module.css";

/** A full load discards everything that was rendered for the ended session. */
const leaveAfter = (end: "signedOut" | "sessionsEnded") => () => window.location.assign(signInAfter(end));

interface OneProps {
  id: string;
  /** The device, in words. */
  name: string;
  /** Whether the reader is using it. */
  isCurrent: boolean;
}

export function EndSession({ id, name, isCurrent }: OneProps) {
  const t = useTranslations("sessions");
  const api = useTRPCClient();
  return (
    <ConfirmDialog
      label={t("end")}
      fullLabel={t("endOf", { name })}
      title={t("endTitle", { name })}
      confirm={t("end")}
      size="compact-sm"
      done={t("ended", { name })}
      act={(key) => api.sessions.invalidate.mutate({ session_id: id }, { context: { idempotencyKey: key } })}
      onDone={isCurrent ? leaveAfter("signedOut") : undefined}
    >
      {isCurrent ? t("endCurrentText") : t("endText")}
    </ConfirmDialog>
  );
}

interface AllProps {
  userId: string;
  name: string | undefined;
  /** Whether they are the reader's. */
  isOwn: boolean;
  /** How many sessions there are. */
  count: number;
}

export function EndSessions({ userId, name, isOwn, count }: AllProps) {
  const t = useTranslations("sessions");
  const api = useTRPCClient();
  const end = (keeps_current: boolean) => (key: string) =>
    api.sessions.endAll.mutate({ user_id: userId, keeps_current }, { context: { idempotencyKey: key } });
  return (
    <div className={classes.buttons}>
      {isOwn && count > 1 && (
        <ConfirmDialog
          label={t("endOthers")}
          title={t("endOthersTitle")}
          confirm={t("endOthers")}
          size="compact-sm"
          done={t("endedOthers")}
          act={end(true)}
        >
          {t("endOthersText")}
        </ConfirmDialog>
      )}
      <ConfirmDialog
        label={t("endAll")}
        title={isOwn || name === undefined ? t("endAllTitle") : t("endAllOf", { name })}
        confirm={t("endAll")}
        size="compact-sm"
        isDanger
        done={t("endedAll")}
        act={end(false)}
        onDone={isOwn ? leaveAfter("sessionsEnded") : undefined}
      >
        {isOwn ? t("endAllOwnText") : t("endAllText")}
      </ConfirmDialog>
    </div>
  );
}
