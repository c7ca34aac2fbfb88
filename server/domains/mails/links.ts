// Secret links in mails: a stored body has a placeholder, and the domain that owns the link derives it at delivery.
import type { Reader } from "@/db/client";
import { step } from "@/server/kit/step";
import type { Runtime } from "@/server/process/runtime";
import type { MailRow } from "./store";

/** What a secret link is for. */
export type LinkPurpose =
  | "pay"
  | "receipt"
  | "refund"
  | "expired_request"
  | "reset_password"
  | "invitation"
  | "card"
  | "verify_email"
  | "undo_email_change";

/** A purpose without a URL: its function only says whether the mail may be sent. */
export const hasUrl = (purpose: LinkPurpose): boolean => purpose !== "refund";

/**
 * The URL of the object's link at the time of the delivery, from `APP_URL`; null if the link is no longer of use, so
 * that the mail must not be sent; undefined for a purpose without a URL. Called for each try: every call returns the
 * same URL.
 */
export type MailLink = (q: Reader, runtime: Runtime, objectId: string) => Promise<string | null | undefined>;

/** The links that mails can contain. A mail with a purpose that nobody supplies cannot be written. */
export const mailLinks = step<Readonly<Partial<Record<LinkPurpose, MailLink>>>>("mailLinks");

/** The URL of the mail's secret link now; undefined for a mail without one, null if the link is no longer of use. */
export async function linkOf(
  { db, runtime }: { db: Reader; runtime: Runtime },
  { linkPurpose, linkObjectId }: Pick<MailRow, "linkPurpose" | "linkObjectId">,
): Promise<string | null | undefined> {
  if (linkPurpose === null || linkObjectId === null) return undefined;
  const link = mailLinks()[linkPurpose as LinkPurpose];
  if (!link) throw new Error(`Nothing supplies the link "${linkPurpose}".`);
  return link(db, runtime, linkObjectId);
}

/**
 * The placeholder for the mail's secret link in a stored body. It contains the mail's id, so that no text that was
 * written before can contain it, and leads nowhere (RFC 2606).
 */
export const placeholderOf = (mailId: string): string => `https://link.invalid/${mailId}`;
