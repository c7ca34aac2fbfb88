// Pure rules of mails: when a failed delivery is tried again, and which mails may be sent again.
import { hourMs, minuteMs } from "@/server/kit/limits";
import type { MailRow } from "./store";
import { type MailKind, paymentKinds } from "./templates";

/** How long after each failed try the next one follows, in milliseconds. */
const retryDelaysMs = [minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 8 * hourMs, 24 * hourMs];

/** Milliseconds until the next try after `attempts` failed ones; null if there is none. */
export const retryDelayMs = (attempts: number): number | null => retryDelaysMs[attempts - 1] ?? null;

/** The kinds of mails that users may have sent again. The others are out of date soon. */
export const resendableKinds: readonly MailKind[] = [...paymentKinds, "invitation"];

/** Whether a user may have it sent again: it is of such a kind, not on its way, and still has its body. */
export const isResendable = ({ kind, status, text }: Pick<MailRow, "kind" | "status" | "text">): boolean =>
  text !== null && status !== "queued" && resendableKinds.includes(kind);
