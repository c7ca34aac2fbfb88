// Examples of mails.
import { at, ids, type OperationExamples, pageOf } from "./story";

const mail = {
  mail_id: ids.mail,
  account_id: ids.account,
  kind: "payment_request",
  to: "grace@example.com",
  subject: "Ada's Bakery: Zahlungsanfrage über 12,50 €",
  status: "sent",
  attempts: 1,
  last_error: null,
  payment_id: ids.payment,
  created_at: at.request,
  sent_at: "2026-11-20T14:05:01.000Z",
};

const queued = { ...mail, status: "queued", attempts: 0, sent_at: null };

const text = `Zahlungsanfrage von Ada's Bakery

12,50 €

Ansehen und bezahlen:
https://link.invalid/${ids.mail}
`;

export const mailExamples: Readonly<Record<string, OperationExamples>> = {
  "payments.send": {
    requests: {
      customer: {},
      message: { message: "Vielen Dank für Ihren Besuch!" },
    },
    response: queued,
  },
  "payments.remind": {
    requests: {
      plain: {},
      message: { message: "Wir freuen uns auf Ihre Zahlung." },
    },
    response: { ...queued, kind: "payment_reminder", subject: "Ada's Bakery: Erinnerung an 12,50 €" },
  },
  "mails.list": { response: pageOf(mail) },
  "mails.get": { response: { ...mail, text, html: `<!doctype html><p>${text}</p>` } },
  "mails.resend": { response: queued },
};
