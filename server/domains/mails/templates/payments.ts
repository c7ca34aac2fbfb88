// Mails about payments: to customers a request to pay, a reminder of it, and the receipts of a payment and of a refund;
// to the account, that a customer needs a new link.
import type { Letter } from "../letter";
import { inert, lines } from "../plain";
import type { MailReader } from "../reader";

/** What a mail says about a payment or refund. */
export interface PaymentMail {
  /** Minor units: due, paid or refunded. */
  amount: number;
  /** Of what was paid, the part that came out of the customer's credit, in minor units. */
  amountOfCredit?: number;
  currency: string;
  customerName: string | null;
  description: string | null;
  reference: string | null;
  /** When it was paid or refunded or has expired, or for a request when it is due or expires; epoch ms. */
  at: number | null;
  /** What the sender of a request wrote. */
  message?: string | null;
  livemode: boolean;
}

type Kind = "request" | "reminder" | "receipt" | "refund";

const letter =
  (kind: Kind, facts: (mail: PaymentMail, reader: MailReader) => readonly [string, string][]) =>
  (mail: PaymentMail, reader: MailReader, sender: string): Letter => {
    const { t, money } = reader;
    const { customerName, description, reference } = mail;
    const amount = money(mail.amount, mail.currency);
    return {
      subject: t(`${kind}.subject`, { sender, amount }),
      heading: t(`${kind}.heading`, { sender }),
      amount,
      paragraphs: [
        customerName === null ? t("greeting") : t("greetingTo", { name: inert(customerName) }),
        t(kind === "receipt" && mail.amountOfCredit === mail.amount ? "receipt.ofCredit" : `${kind}.text`, {
          sender,
          amount,
        }),
      ],
      quote: mail.message ? lines(mail.message) : null,
      facts: [
        ...(description === null ? [] : [[t("description"), inert(description)] as const]),
        ...(reference === null ? [] : [[t("reference"), inert(reference)] as const]),
        ...facts(mail, reader),
      ],
      button: t(`${kind}.button`),
      notes: [t(`${kind}.note`, { sender })],
    };
  };

const payBy = ({ at }: PaymentMail, { t, day }: MailReader): [string, string][] =>
  at === null ? [] : [[t("payBy"), day(at)]];

export const paymentRequest = letter("request", payBy);

export const paymentReminder = letter("reminder", payBy);

export const paymentReceipt = letter("receipt", ({ at, amount, amountOfCredit = 0, currency }, reader) => {
  const { t, instant, money } = reader;
  const isPartly = amountOfCredit > 0 && amountOfCredit < amount;
  return [
    ...(isPartly ? [[t("fromCredit"), money(amountOfCredit, currency)] satisfies [string, string]] : []),
    ...(at === null ? [] : [[t("paidAt"), instant(at)] satisfies [string, string]]),
  ];
});

export const refundReceipt = letter("refund", ({ at }, { t, instant }) =>
  at === null ? [] : [[t("refundedAt"), instant(at)]],
);

/** To the account itself, so it greets nobody by name and says who asks. */
export function linkRequest(mail: PaymentMail, { t, money, instant }: MailReader): Letter {
  const { customerName, description, reference, at } = mail;
  const amount = money(mail.amount, mail.currency);
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
