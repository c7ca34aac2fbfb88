// Pay pages for the previews in the dashboard: of an account with sample content, and of a request that is being written.
import type { PayPage } from "@/server/domains/payments/operations/view";
import { iso } from "@/server/process/clock";
import type { Document } from "./frame";
import { payDocument } from "./pay-document";
import type { Reader } from "./reader";

interface Branding {
  name: string;
  email: string;
  /** `#rrggbb`; null for the product's own. */
  color: string | null;
  logoPath: string | null;
  /** An ISO 4217 code. */
  currency: string;
}

/** In minor units: 120.00 euros, 12,000 yen, 12.000 dinars. */
const amount = 12_000;

/** An open pay page that looks like the account's own, apart from what is paid for. Nothing on it works. */
export function sampleDocument({ name, email, color, logoPath, currency }: Branding, reader: Reader): Document {
  const page: PayPage = {
    ...{ account_name: name, account_email: email, brand_color: color, logo_path: logoPath, livemode: true },
    ...{ type: "product", invoice_number: null, has_pdf: false },
    ...{ description: reader.t("sample"), reference: null, lines: [], subtotal: 0, taxes: [], subscription: null },
    ...{
      amount,
      amount_due: amount,
      amount_paid: 0,
      amount_refunded: 0,
      amount_charged_back: 0,
      currency,
      paid_at: null,
      cards_open_at: null,
    },
    ...{ locales: [], timezone: null, state: "open", capture_method: "automatic", due_at: null, expires_at: null },
    ...{
      success_url: null,
      cancel_url: null,
      is_viewed: true,
      new_link: null,
      begun: null,
      action_url: null,
      last_error_code: null,
    },
    ...{ form_token: "", link: null, credit_notes: [] },
    attempt_amount: null,
    installments: null,
    options: [],
    own_amount: null,
    last_payment: null,
    is_paid_again: false,
    read_at: iso(0),
  };
  return previewDocument(page, reader);
}

/** An open pay page as a picture of itself. */
export function previewDocument(page: PayPage, reader: Reader): Document {
  const visit = {
    path: "",
    problems: [],
    picked: null,
    typed: null,
    unconfirmed: null,
    notMine: "",
    confirmation: null,
    askToken: null,
    checks: 0,
    reportsView: false,
    isSample: true,
  };
  return payDocument(page, reader, visit);
}
