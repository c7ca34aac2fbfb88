// The sandbox's test card numbers and what each does.

import { needsCustomer } from "./provider";

export interface Decline {
  code: string;
  message: string;
}

export interface TestCard {
  brand: string;
  decline: Decline | null;
  /** How charges of the stored card without the payer are declined; null if they succeed. */
  later: Decline | null;
  /** Whether the payer must confirm the payment first (3-D Secure). A decline then follows the confirmation. */
  isChallenged: boolean;
  /** Refunds succeed at once, are pending for a while (`slow`), or succeed and fail later (`returned`). */
  refund: "at once" | "slow" | "returned";
  /** Whether the payer disputes the payment soon after it. */
  isDisputed: boolean;
}

const card = (brand: string, more: Partial<TestCard> = {}): TestCard => ({
  brand,
  decline: null,
  later: null,
  isChallenged: false,
  refund: "at once",
  isDisputed: false,
  ...more,
});

const visa = (more: Partial<TestCard> = {}): TestCard => card("visa", more);

const decline = (code: string, message: string): Decline => ({ code, message });

/** The decline of a card whose bank gives no reason. */
export const refused = decline("card_declined", "The card was declined.");
export const expired = decline("expired_card", "The card has expired.");
const noFunds = decline("insufficient_funds", "The card has insufficient funds.");
const wrongCode = decline("incorrect_cvc", "The security code is wrong.");
const notProcessed = decline("processing_error", "The card could not be processed.");
const fraud = decline("fraudulent", "The payment was blocked as fraudulent.");

/** The decline of a charge whose confirmation failed. */
export const notConfirmed = decline("authentication_failed", "The payment was not confirmed with the card's bank.");

/** The card with two security codes that simulate a provider that does not answer. */
export const troubledCard = "4000000000000119";

/** On {@link troubledCard}: the provider takes the money, and the connection breaks before its answer arrives. */
export const lostAnswerCode = "998";

/** The error message of that call. */
export const lostAnswer = "The connection to the sandbox broke.";

/** On {@link troubledCard}: the provider never receives the charge and never answers. */
export const noAnswerCode = "999";

/** By number. Payment developers know these numbers from other sandboxes. */
export const testCards: ReadonlyMap<string, TestCard> = new Map(
  Object.entries({
    // Succeed.
    "4242424242424242": visa(),
    "4000056655665556": visa(),
    "4000000000000077": visa(),
    "4000003720000278": visa(),
    "4000000000000036": visa(),
    "4000000000000010": visa(),
    "4000000000009235": visa(),
    "5555555555554444": card("mastercard"),
    "2223003122003222": card("mastercard"),
    "5200828282828210": card("mastercard"),
    "5105105105105100": card("mastercard"),
    "378282246310005": card("amex"),
    "6011111111111117": card("discover"),
    "3056930009020004": card("diners"),
    "3566002020360505": card("jcb"),
    "6200000000000005": card("unionpay"),
    // Succeeds, and is declined once it is stored.
    "4000000000000341": visa({ later: refused }),
    // Declined.
    "4000000000000002": visa({ decline: refused }),
    "4000000000009995": visa({ decline: noFunds }),
    "4000000000009987": visa({ decline: decline("lost_card", "The card was reported lost.") }),
    "4000000000009979": visa({ decline: decline("stolen_card", "The card was reported stolen.") }),
    "4000000000000069": visa({ decline: expired }),
    "4000000000000127": visa({ decline: wrongCode }),
    "4000000000000101": visa({ decline: wrongCode }),
    [troubledCard]: visa({ decline: notProcessed }),
    "4000000000006975": visa({ decline: decline("card_velocity_exceeded", "The card has been used too often.") }),
    "4100000000000019": visa({ decline: fraud }),
    "4000000000004954": visa({ decline: fraud }),
    // Require a confirmation first.
    "4000002500003155": visa({ isChallenged: true }),
    "4000002760003184": visa({ isChallenged: true, later: needsCustomer }),
    "4000003800000446": visa({ isChallenged: true }),
    "4000000000003220": visa({ isChallenged: true }),
    "4000008260003178": visa({ isChallenged: true, decline: noFunds }),
    "4000008400001629": visa({ isChallenged: true, decline: refused }),
    // Support a confirmation: for the first it is unavailable, for the others it is not required.
    "4000008400001280": visa({ decline: notProcessed }),
    "4000000000003055": visa(),
    "4000000000003097": visa(),
    // Succeed, with unusual refunds.
    "4000000000007726": visa({ refund: "slow" }),
    "4000000000005126": visa({ refund: "returned" }),
    // Succeeds, and is disputed.
    "4000000000000259": visa({ isDisputed: true }),
  }),
);
