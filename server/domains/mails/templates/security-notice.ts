// Notices to users after something that affects the security of their access.
import type { Letter } from "../letter";
import { inert } from "../plain";
import type { MailReader } from "../reader";

/** What happened. Each has texts of its name in the catalog. */
type Notice =
  | "new_device"
  | "session_device_changed"
  | "password_changed"
  | "email_changed"
  | "email_change_undone"
  | "second_factor_changed"
  | "second_factors_removed"
  | "factor_requirement_changed"
  | "recovery_code_used"
  | "password_known"
  | "refresh_token_reused"
  | "api_key_created"
  | "api_key_rotated"
  | "admin_added"
  | "admin_demoted"
  | "admin_removed"
  | "admin_role_lost"
  | "cards_declined";

export interface SecurityNotice {
  notice: Notice;
  /** When, epoch ms. */
  at: number;
  /** What it concerns: the name of the API key, of the new or former admin, of the device, or what a link is for. */
  subject?: string | null;
  ip?: string | null;
  /** The browser or program, as the `User-Agent` header names it. */
  userAgent?: string | null;
}

export function securityNotice(
  { notice, at, subject, ip, userAgent }: SecurityNotice,
  { t, instant }: MailReader,
  sender: string,
): Letter {
  const facts: [string, string | null | undefined][] = [
    [t("notice.what"), subject],
    [t("notice.when"), instant(at)],
    [t("notice.ip"), ip],
    [t("notice.userAgent"), userAgent],
  ];
  return {
    subject: t(`notice.${notice}.subject`, { sender }),
    heading: t(`notice.${notice}.heading`),
    paragraphs: [t(`notice.${notice}.text`, { sender })],
    facts: facts.flatMap(([term, value]) => (value ? [[term, inert(value)] as const] : [])),
    // Only a changed address has a link, which undoes the change.
    button: t("notice.email_changed.button"),
    notes: [t(`notice.${notice}.note`)],
  };
}
