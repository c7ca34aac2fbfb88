// Mails about subscriptions in which there is nothing to open: what changes, when, and what is charged from then on.
import type { Letter } from "../letter";
import { inert } from "../plain";
import type { MailReader } from "../reader";
import type { PaymentMail } from "./payments";

/** How a subscription ended. */
export type End = "paymentFailed" | "canceled" | "completed";

export type SubscriptionMail = PaymentMail & {
  /** Minor units that each period cost before. */
  amountBefore?: number;
  end?: End;
};

type Kind = "trialEnding" | "subscriptionEnding" | "subscriptionKept" | "amountChanged" | `subscriptionEnded.${End}`;

interface Said {
  kind: Kind;
  /** What stands beside the mail's date. */
  date: "trialEnding.ends" | "subscriptionEnding.ends" | "subscriptionKept.next" | "amountChanged.from" | null;
  /** Whether it names the amount. */
  hasAmount: boolean;
}

const say =
  ({ kind, date, hasAmount }: Said) =>
  (mail: SubscriptionMail, { t, money, day }: MailReader, sender: string): Letter => {
    const { customerName, description, at, currency, amountBefore } = mail;
    const amount = money(mail.amount ?? 0, currency);
    return {
      subject: t(`${kind}.subject`, { sender, amount }),
      heading: t(`${kind}.heading`),
      ...(hasAmount && { amount }),
      paragraphs: [
        customerName === null ? t("greeting") : t("greetingTo", { name: inert(customerName) }),
        t(`${kind}.text`, { sender, amount }),
      ],
      facts: [
        ...(description === null ? [] : [[t("description"), inert(description)] as const]),
        ...(amountBefore === undefined ? [] : [[t("amountChanged.before"), money(amountBefore, currency)] as const]),
        ...(at === null || date === null ? [] : [[t(date), day(at)] as const]),
      ],
      notes: [t(`${kind}.note`, { sender })],
    };
  };

/** That a trial ends; `at` is when the card is charged first. */
export const trialEnding = say({ kind: "trialEnding", date: "trialEnding.ends", hasAmount: true });

/** That a subscription ends with its period, at `at`. */
export const subscriptionEnding = say({
  kind: "subscriptionEnding",
  date: "subscriptionEnding.ends",
  hasAmount: false,
});

/** That it does not end with its period after all; `at` is when the card is charged next. */
export const subscriptionKept = say({ kind: "subscriptionKept", date: "subscriptionKept.next", hasAmount: true });

/** That each period costs another amount; `at` is when it is charged first. */
export const amountChanged = say({ kind: "amountChanged", date: "amountChanged.from", hasAmount: true });

/** That a subscription has ended, and nothing more is charged. */
export const subscriptionEnded = (mail: SubscriptionMail, reader: MailReader, sender: string): Letter =>
  say({ kind: `subscriptionEnded.${mail.end ?? "canceled"}`, date: null, hasAmount: false })(mail, reader, sender);
