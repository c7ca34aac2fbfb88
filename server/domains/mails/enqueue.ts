// Writes a mail in the caller's transaction and schedules its delivery: it is sent only if the transaction commits.
import { schedule } from "@/server/domains/jobs/queue";
import { organizationById } from "@/server/domains/organizations/organization";
import type { WriteContext } from "@/server/kit/context";
import { email, foldEmail } from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { htmlOf, type Letter, textOf } from "./letter";
import { hasUrl, mailLinks, placeholderOf } from "./links";
import { headerText, inert, senderName } from "./plain";
import { type MailReader, mailReaderOf } from "./reader";
import { insertMail, type MailRow } from "./store";
import { type MailContents, type MailKind, type MailPurpose, type Template, templates } from "./templates";

/** A mail to write: the contents of its kind, and whom it is from and to. */
export type NewMail = {
  [Kind in MailKind]: {
    kind: Kind;
    data: MailContents[Kind]["data"];
    /** The object whose secret link the mail contains. Null is allowed only for kinds that need none. */
    link: { purpose: MailPurpose<Kind>; objectId: string } | (null extends MailContents[Kind]["link"] ? null : never);
  };
}[MailKind] & {
  organizationId: string;
  to: string;
  /** The account that it is from, with its reply address; by default it is from the organization. */
  account?: { id: string; name: string; email: string };
  paymentId?: string | null;
  /** The user that it is for, so that it can be emptied once the user is removed. */
  userId?: string;
  /** The recipient's languages in order of preference (BCP 47); English if none has a catalog. */
  locales: readonly (string | null)[];
  /** The time zone of its dates (IANA); null for UTC. */
  timezone: string | null;
  /** Nobody asked for it. It is counted against the limits when it is delivered, and waits if one is reached. */
  isAutomatic?: boolean;
};

type Context = Pick<WriteContext, "db" | "now" | "realNow" | "id" | "runtime">;

/**
 * Writes the mail: `queued`, or `held` where no mail server is set up. Takes no lock that others wait for. Throws for
 * an address that our fields would refuse, and for a link that nobody supplies.
 */
export async function enqueueMail(ctx: Context, mail: NewMail): Promise<MailRow> {
  if (!email.safeParse(mail.to).success) throw new Error("A mail has no valid recipient.");
  const { link, account, organizationId } = mail;
  if (link && !mailLinks()[link.purpose]) throw new Error(`Nothing supplies the link "${link.purpose}".`);
  const id = ctx.id("mai");
  const organization = await organizationById(ctx.db, organizationId);
  const name = account?.name ?? organization.name;
  const isHeld = ctx.runtime.env.mail === null;
  const row = await insertMail(ctx.db, {
    ...{ id, organizationId, accountId: account?.id ?? null, paymentId: mail.paymentId ?? null, kind: mail.kind },
    userId: mail.userId ?? null,
    ...{ messageId: `<${id}@${new URL(ctx.runtime.env.appUrl).hostname}>`, fromName: senderName(name) },
    ...{ replyTo: account?.email ?? null, toAddress: mail.to, toKey: foldEmail(mail.to) },
    ...bodiesOf(mail, { id, sender: inert(name), organization }),
    ...{ linkPurpose: link?.purpose ?? null, linkObjectId: link?.objectId ?? null },
    ...{ isAutomatic: mail.isAutomatic ?? false, status: isHeld ? "held" : "queued", attempts: 0, lastError: null },
    ...{ createdAt: ctx.realNow, updatedAt: ctx.realNow, sentAt: null },
  });
  if (!isHeld) await scheduleDelivery(ctx, row);
  return row;
}

/** Schedules the delivery now. */
export const scheduleDelivery = (ctx: Context, { id: objectId, organizationId }: MailRow): Promise<void> =>
  schedule(ctx, { kind: "mails.deliver", organizationId, objectId, afterMs: 0 });

interface Origin {
  id: string;
  sender: string;
  /** Decides what the recipient and the account leave open. */
  organization: { locale: string | null; timezone: string | null };
}

function bodiesOf(mail: NewMail, { id, sender, organization }: Origin) {
  const reader = mailReaderOf([...mail.locales, organization.locale], mail.timezone ?? organization.timezone);
  const letter = letterOf(mail, reader, sender);
  const isTest = "livemode" in mail.data && !mail.data.livemode;
  const frame = { reader, sender, url: mail.link && hasUrl(mail.link.purpose) ? placeholderOf(id) : null, isTest };
  const [text, html] = [textOf(letter, frame), htmlOf(letter, frame)];
  if (Buffer.byteLength(text) + Buffer.byteLength(html) > limits.mail.bytes)
    throw new Error(`The mail ${id} is too large.`);
  return { subject: headerText(isTest ? `[TEST] ${letter.subject}` : letter.subject), text, html };
}

const letterOf = ({ kind, data }: NewMail, reader: MailReader, sender: string): Letter =>
  (templates[kind] as Template<typeof data>)(data, reader, sender);
