// Mails about access: an invitation, the verification of an address, a new password.
import type { Letter } from "../letter";
import { inert } from "../plain";
import type { MailReader } from "../reader";

export const resetPassword = ({ minutes }: { minutes: number }, { t }: MailReader, sender: string): Letter => ({
  subject: t("resetPassword.subject", { sender }),
  heading: t("resetPassword.heading"),
  paragraphs: [t("resetPassword.text", { sender })],
  button: t("resetPassword.button"),
  notes: [t("resetPassword.valid", { minutes }), t("resetPassword.note")],
});

export const verifyEmail = ({ hours }: { hours: number }, { t }: MailReader, sender: string): Letter => ({
  subject: t("verifyEmail.subject", { sender }),
  heading: t("verifyEmail.heading"),
  paragraphs: [t("verifyEmail.text", { sender })],
  button: t("verifyEmail.button"),
  notes: [t("verifyEmail.valid", { hours }), t("verifyEmail.note")],
});

interface Invitation {
  organization: string;
  inviter: string | null;
  days: number;
}

export function invitation({ organization: name, inviter, days }: Invitation, { t }: MailReader): Letter {
  const organization = inert(name);
  return {
    subject: t("invitation.subject", { organization }),
    heading: t("invitation.heading", { organization }),
    paragraphs: [
      inviter === null
        ? t("invitation.text", { organization })
        : t("invitation.textBy", { organization, inviter: inert(inviter) }),
    ],
    button: t("invitation.button"),
    notes: [t("invitation.valid", { days }), t("invitation.note")],
  };
}
