// Pure rules of mails: when a failed delivery is tried again, and which mails may be sent again.
import { hourMs, minuteMs } from "@/server/kit/limits";
import type { MailRow } from "./store";
import { paymentKinds } from "./templates";

/** How long after each failed try the next one follows, in milliseconds. */
const retryDelaysMs = [minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 8 * hourMs, 24 * hourMs];

/** Milliseconds until the next try after `attempts` failed ones; null if there is none. */
export const retryDelayMs = (attempts: number): number | null => retryDelaysMs[attempts - 1] ?? null;

/**
 * Whether a user may have it sent again: a payment mail or invitation that is not on its way and still has its body.
 */
export const isResendable = ({ kind, status, text }: Pick<MailRow, "kind" | "status" | "text">): boolean =>
  text !== null && status !== "queued" && (paymentKinds.includes(kind) || kind === "invitation");
