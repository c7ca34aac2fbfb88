// Mails about payments: to customers a request to pay, a reminder of it, and the receipts of a payment and of a refund;
// to the account, that a customer needs a new link.
import type { Letter } from "../letter";
import { inert, lines } from "../plain";
import type { MailReader } from "../reader";

/** What a mail says about a payment or refund. */
export interface PaymentMail {
  /** Minor units: asked for, paid or refunded. Null for a request whose payer chooses the amount. */
  amount: number | null;
  /** Minor units that are due in all, also after a payment. */
  due?: number | null | undefined;
  /** Whether it was paid out of the customer's credit. */
  usesCredit?: boolean;
  currency: string;
  customerName: string | null;
  description: string | null;
  reference: string | null;
  /** When it was paid or refunded or has expired, or for a request when it is due or expires; epoch ms. */
  at: number | null;
  /** What the sender of a request wrote. */
  message?: string | null;
  /** Of an invoice: its number, and the path of its file below the pay link. */
  invoice?: { number: string; path: string } | null;
  livemode: boolean;
}

type Kind = "request" | "reminder" | "receipt" | "refund" | "renewalFailed" | "cardLink";

const letter =
  (kind: Kind, facts: (mail: PaymentMail, reader: MailReader) => readonly Fact[]) =>
  (mail: PaymentMail, reader: MailReader, sender: string): Letter => {
    const { t, money } = reader;
    const { customerName, description, reference } = mail;
    const amount = mail.amount === null ? "" : money(mail.amount, mail.currency);
    const isChosen = kind === "request" && mail.amount === null;
    return {
      subject: isChosen ? t("request.subjectChosen", { sender }) : t(`${kind}.subject`, { sender, amount }),
      heading: t(`${kind}.heading`, { sender }),
      ...(amount !== "" && { amount }),
      paragraphs: [
        customerName === null ? t("greeting") : t("greetingTo", { name: inert(customerName) }),
        isChosen
          ? t("request.textChosen", { sender })
          : t(mail.usesCredit ? "receipt.ofCredit" : `${kind}.text`, { sender, amount }),
      ],
      quote: mail.message ? lines(mail.message) : null,
      facts: [
        ...(description === null ? [] : [[t("description"), inert(description)] as const]),
        ...(reference === null ? [] : [[t("reference"), inert(reference)] as const]),
        ...facts(mail, reader),
      ],
      button: t(`${kind}.button`),
      file: mail.invoice
        ? { label: t("invoiceFile", { number: inert(mail.invoice.number) }), path: mail.invoice.path }
        : null,
      notes: [t(`${kind}.note`, { sender })],
    };
  };

type Fact = readonly [string, string];

const payBy = ({ at, amount, due = amount, currency }: PaymentMail, { t, day, money }: MailReader): Fact[] => [
  ...(at === null ? [] : [[t("payBy"), day(at)] as const]),
  ...(due === amount || due === null ? [] : [[t("stillDue"), money(due, currency)] as const]),
];

export const paymentRequest = letter("request", payBy);

export const paymentReminder = letter("reminder", payBy);

export const paymentReceipt = letter("receipt", ({ at, due = 0, currency }, { t, instant, money }): Fact[] => [
  ...(at === null ? [] : [[t("paidAt"), instant(at)] as const]),
  ...(!due ? [] : [[t("stillDue"), money(due, currency)] as const]),
]);

export const refundReceipt = letter("refund", ({ at }, { t, instant }) =>
  at === null ? [] : [[t("refundedAt"), instant(at)]],
);

/** That the stored card was not charged for a renewal; `at` is when it is tried next. */
export const renewalFailed = letter("renewalFailed", ({ at }, { t, day }) =>
  at === null ? [] : [[t("renewalFailed.next"), day(at)]],
);

/** The link to the page on which the customer stores another card; `at` is when the card is charged next. */
export const cardLink = letter("cardLink", ({ at }, { t, day }) =>
  at === null ? [] : [[t("cardLink.next"), day(at)]],
);

/** That a trial ends; `at` is when the card is charged first. There is nothing to open. */
export function trialEnding(mail: PaymentMail, reader: MailReader, sender: string): Letter {
  const { t, money, day } = reader;
  const { customerName, description, at } = mail;
  const amount = money(mail.amount ?? 0, mail.currency);
  return {
    subject: t("trialEnding.subject", { sender }),
    heading: t("trialEnding.heading"),
    amount,
    paragraphs: [
      customerName === null ? t("greeting") : t("greetingTo", { name: inert(customerName) }),
      t("trialEnding.text", { sender, amount }),
    ],
    facts: [
      ...(description === null ? [] : [[t("description"), inert(description)] as const]),
      ...(at === null ? [] : [[t("trialEnding.ends"), day(at)] as const]),
    ],
    notes: [t("trialEnding.note")],
  };
}

/** To the account itself, so it greets nobody by name and says who asks. */
export function linkRequest(mail: PaymentMail, { t, money, instant }: MailReader): Letter {
  const { customerName, description, reference, at } = mail;
  const amount = money(mail.amount ?? 0, mail.currency);
  return {
    subject: t("linkRequest.subject", { amount }),
    heading: t("linkRequest.heading"),
    amount,
    paragraphs: [t("linkRequest.text")],
    facts: [
      ...(customerName === null ? [] : [[t("linkRequest.customer"), inert(customerName)] as const]),
      ...(description === null ? [] : [[t("description"), inert(description)] as const]),
      ...(reference === null ? [] : [[t("reference"), inert(reference)] as const]),
      ...(at === null ? [] : [[t("linkRequest.expired"), instant(at)] as const]),
    ],
    button: t("linkRequest.button"),
  };
}
