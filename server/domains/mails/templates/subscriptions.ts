// Mails about subscriptions in which there is nothing to open: what changes, when, and what is charged from then on.
import type { Letter } from "../letter";
import { inert } from "../plain";
import type { MailReader } from "../reader";
import { type Fact, type PaymentMail, triesAndEnd, withWarning } from "./payments";

/** How a subscription ended. */
export type End = "paymentFailed" | "canceled" | "completed";

export type SubscriptionMail = PaymentMail & {
  /** Minor units that each period cost before. */
  amountBefore?: number;
  /** Whether the current period is not paid and may still be charged. */
  isUnpaid?: boolean;
  end?: End;
};

type Kind = "trialEnding" | "subscriptionEnding" | "subscriptionKept" | "amountChanged" | `subscriptionEnded.${End}`;

interface Said {
  kind: Kind;
  /** What its dates mean. */
  dates: (mail: SubscriptionMail, reader: MailReader) => readonly Fact[];
  /** Whether it names the amount. */
  hasAmount: boolean;
  /** What it says instead of the text and the note of its kind. */
  text?: `${Kind}.text` | "subscriptionEnding.unpaidText";
  note?: `${Kind}.note` | "amountChanged.undatedNote";
}

const say =
  ({ kind, dates, hasAmount, text = `${kind}.text`, note = `${kind}.note` }: Said) =>
  (mail: SubscriptionMail, reader: MailReader, sender: string): Letter => {
    const { t, money } = reader;
    const { customerName, description, currency, amountBefore } = mail;
    const amount = money(mail.amount ?? 0, currency);
    return {
      subject: t(`${kind}.subject`, { sender, amount }),
      heading: t(`${kind}.heading`),
      ...(hasAmount && { amount }),
      paragraphs: [
        customerName === null ? t("greeting") : t("greetingTo", { name: inert(customerName) }),
        t(text, { sender, amount }),
      ],
      facts: [
        ...(description === null ? [] : [[t("description"), inert(description)] as const]),
        ...(amountBefore === undefined ? [] : [[t("amountChanged.before"), money(amountBefore, currency)] as const]),
        ...dates(mail, reader),
      ],
      notes: [t(note, { sender })],
    };
  };

const noDates = () => [];

/** The mail's date, with what it means; nothing without one. */
const beside =
  (label: "trialEnding.ends" | "subscriptionKept.next" | "amountChanged.from"): Said["dates"] =>
  ({ at }, { t, day }) =>
    at === null ? [] : [[t(label), day(at)]];

/** That a trial ends; `at` is when the card is charged first. */
export const trialEnding = say({ kind: "trialEnding", dates: beside("trialEnding.ends"), hasAmount: true });

/** That a subscription ends with its period, at `endsAt`; `at` is when the card is tried for that period, if it is. */
export const subscriptionEnding = (mail: SubscriptionMail, reader: MailReader, sender: string): Letter => {
  const said: Said = { kind: "subscriptionEnding", dates: triesAndEnd, hasAmount: false };
  const written = say(mail.isUnpaid ? { ...said, text: "subscriptionEnding.unpaidText" } : said);
  return withWarning(written(mail, reader, sender), mail, reader, sender);
};

/** That it does not end with its period after all; `at` is when the card is charged next. */
export const subscriptionKept = say({
  kind: "subscriptionKept",
  dates: beside("subscriptionKept.next"),
  hasAmount: true,
});

/** That each period costs another amount; `at` is when it is charged first, if that is known. */
export const amountChanged = (mail: SubscriptionMail, reader: MailReader, sender: string): Letter => {
  const said: Said = { kind: "amountChanged", dates: beside("amountChanged.from"), hasAmount: true };
  return say(mail.at === null ? { ...said, note: "amountChanged.undatedNote" } : said)(mail, reader, sender);
};

/** That a subscription has ended, and nothing more is charged. */
export const subscriptionEnded = (mail: SubscriptionMail, reader: MailReader, sender: string): Letter =>
  say({ kind: `subscriptionEnded.${mail.end ?? "canceled"}`, dates: noDates, hasAmount: false })(mail, reader, sender);
