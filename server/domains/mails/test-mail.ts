// A mail with which an admin checks the settings: sent at once, and not stored.
import { htmlOf, textOf } from "./letter";
import { headerText, inert, senderName } from "./plain";
import { mailReaderOf } from "./reader";
import type { Outgoing } from "./transport";

interface TestMail {
  /** Makes its Message-ID. */
  id: string;
  appUrl: string;
  to: string;
  organization: string;
  locales: readonly (string | null)[];
}

export function testMail({ id, appUrl, to, organization, locales }: TestMail): Outgoing {
  const reader = mailReaderOf(locales, null);
  const sender = inert(organization);
  const { t } = reader;
  const letter = {
    subject: headerText(t("testMail.subject", { sender })),
    heading: t("testMail.heading"),
    paragraphs: [t("testMail.text", { sender })],
  };
  const frame = { reader, sender, url: null, isTest: false };
  return {
    ...{ messageId: `<${id}@${new URL(appUrl).hostname}>`, fromName: senderName(organization), replyTo: null, to },
    ...{ subject: letter.subject, text: textOf(letter, frame), html: htmlOf(letter, frame) },
  };
}
