// Mails about payments: to customers a request to pay, a reminder of it, and the receipts of a payment and of a refund;
// to the account, that a customer needs a new link.
import { offlineMethods, type PaymentMethod } from "@/db/schema/values";
import { brandName } from "@/server/kit/card-brands";
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
  /** Of a receipt: how it was paid, or what the refund went back to. */
  method?: PaymentMethod | null;
  currency: string;
  customerName: string | null;
  description: string | null;
  reference: string | null;
  /** When it was paid or refunded or has expired, or for a request when it is due or expires; epoch ms. */
  at: number | null;
  /** Of a reminder: whether that date has passed, or is the day on which it goes. */
  timing?: "overdue" | "today" | "later";
  /** Whether the next try of a renewal is the last one. */
  isLastTry?: boolean;
  /** When the subscription ends, if it is canceled at the end of its period; epoch ms. */
  endsAt?: number | null;
  /** When it ends if nobody pays, because no card is tried any more; epoch ms. */
  endsUnlessPaidAt?: number | null;
  /** What the sender of a request wrote. */
  message?: string | null;
  /** Of an invoice: its number, and the path of its file below the pay link. */
  invoice?: { number: string; path: string } | null;
  livemode: boolean;
}

type Kind =
  | "request"
  | "reminder"
  | "reminderToday"
  | "reminderOverdue"
  | "receipt"
  | "refund"
  | "renewalFailed"
  | "lastRenewalFailed"
  | "cardLink";

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

/** A label and what stands beside it. */
export type Fact = readonly [string, string];

const stillDue = ({ amount, due = amount, currency }: PaymentMail, { t, money }: MailReader): Fact[] =>
  due === amount || due === null ? [] : [[t("stillDue"), money(due, currency)]];

const payBy = (mail: PaymentMail, reader: MailReader): Fact[] => [
  ...(mail.at === null ? [] : [[reader.t("payBy"), reader.day(mail.at)] as const]),
  ...stillDue(mail, reader),
];

const wasDue = (mail: PaymentMail, reader: MailReader): Fact[] => [
  ...(mail.at === null ? [] : [[reader.t("reminderOverdue.since"), reader.day(mail.at)] as const]),
  ...stillDue(mail, reader),
];

export const paymentRequest = letter("request", payBy);

/** Says that the date is today, or has passed. */
export const paymentReminder = (mail: PaymentMail, reader: MailReader, sender: string): Letter => {
  const kind = { overdue: "reminderOverdue", today: "reminderToday", later: "reminder" } as const;
  return letter(kind[mail.timing ?? "later"], mail.timing === "overdue" ? wasDue : payBy)(mail, reader, sender);
};

/** How it was paid; nothing where that was not recorded. */
function means({ method, usesCredit }: PaymentMail, { t }: MailReader): Fact[] {
  const { type, brand, last4 } = method ?? {};
  if (last4) {
    const name = brandName(brand);
    const card = name === undefined ? t("means.cardUnknown", { last4 }) : t("means.card", { brand: name, last4 });
    return [[t("means.label"), card]];
  }
  const kind = usesCredit ? "credit" : offlineMethods.find((one) => one === type);
  return kind === undefined || kind === "other" ? [] : [[t("means.label"), t(`means.${kind}`)]];
}

export const paymentReceipt = letter("receipt", (mail, reader): Fact[] => {
  const { at, due = 0, currency } = mail;
  const { t, instant, money } = reader;
  return [
    ...(at === null ? [] : [[t("paidAt"), instant(at)] as const]),
    ...means(mail, reader),
    ...(!due ? [] : [[t("stillDue"), money(due, currency)] as const]),
  ];
});

export const refundReceipt = letter("refund", (mail, reader) => [
  ...(mail.at === null ? [] : [[reader.t("refundedAt"), reader.instant(mail.at)] as const]),
  ...means(mail, reader),
]);

/**
 * When the stored card is tried next, and when the subscription ends. That day is no fact while a last try, or that nobody
 * pays, may end it before.
 */
export function triesAndEnd(mail: PaymentMail, { t, day }: MailReader): Fact[] {
  const { at, isLastTry, endsAt = null, endsUnlessPaidAt = null } = mail;
  const mayEndBefore = isLastTry || endsUnlessPaidAt !== null;
  return [
    ...(at === null ? [] : [[t(isLastTry ? "renewalFailed.last" : "renewalFailed.next"), day(at)] as const]),
    ...(endsAt === null || mayEndBefore ? [] : [[t("subscriptionEnding.ends"), day(endsAt)] as const]),
  ];
}

/** The letter with what becomes of the subscription if the last try fails, or if no card is tried and nobody pays. */
export function withWarning(written: Letter, mail: PaymentMail, { t, day }: MailReader, sender: string): Letter {
  const { isLastTry, endsAt = null, endsUnlessPaidAt = null } = mail;
  if (endsUnlessPaidAt !== null) {
    const warning = t("renewalFailed.noTryText", { sender, day: day(endsUnlessPaidAt) });
    return { ...written, paragraphs: [...written.paragraphs, warning] };
  }
  if (!isLastTry) return written;
  const warning =
    endsAt === null
      ? t("renewalFailed.lastText", { sender })
      : t("lastRenewalFailed.lastText", { sender, day: day(endsAt) });
  return { ...written, paragraphs: [...written.paragraphs, warning] };
}

/** That the stored card was not charged for a renewal; `at` is when it is tried next, and whether for the last time. */
export const renewalFailed = (mail: PaymentMail, reader: MailReader, sender: string): Letter => {
  const kind = (mail.endsAt ?? null) === null ? "renewalFailed" : "lastRenewalFailed";
  return withWarning(letter(kind, triesAndEnd)(mail, reader, sender), mail, reader, sender);
};

/** The link to the page on which the customer stores another card; `at` is when the card is charged next. */
export const cardLink = letter("cardLink", ({ at }, { t, day }) =>
  at === null ? [] : [[t("cardLink.next"), day(at)]],
);

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
