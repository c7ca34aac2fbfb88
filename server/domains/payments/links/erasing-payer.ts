// Whether the payer of a use is being erased. Erasures come later than payments and supply this: server/domains/steps.ts.
import type { Reader } from "@/db/client";
import { step } from "@/server/kit/step";
import type { PaymentRow } from "../store";

/**
 * The customer whose erasure has begun after this payment request and has not come to it yet, although it has the
 * customer's e-mail address; null without one.
 */
type ErasingPayer = (q: Reader, use: PaymentRow) => Promise<string | null>;

export const erasingPayer = step<ErasingPayer>("the erasure of a payer");
