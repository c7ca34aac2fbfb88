// Which domain supplies the steps that a domain below it needs. All code that runs operations or jobs imports it.
import { accountBalances } from "./accounts/balances";
import { mayBeInDebt } from "./accounts/debts";
import { emailMailLink } from "./addresses/links";
import { erasingPayerOf } from "./closing/erasing-payer";
import { removeReplacedUser } from "./closing/replace";
import { invitationMailLink } from "./invitations/link";
import { mailLinks } from "./mails/links";
import { removeReplaced } from "./onboarding/replaced";
import { erasingPayer } from "./payments/links/erasing-payer";
import { expiredMailLink, payMailLink, receiptMailLink, refundMailLink } from "./payments/mail-links";
import { receiveProviderEvent } from "./payments/provider-event";
import { paymentRequestSteps } from "./payments/request-steps";
import { subscriptions } from "./payments/subscriptions";
import { providerEvent } from "./providers/event";
import { resetMailLink } from "./sessions/reset-link";
import { firstPaymentIdOf } from "./subscriptions/addressee";
import { cardMailLink, cardPageUrl } from "./subscriptions/card-link";
import { followPayment, lockFollowing } from "./subscriptions/follow";
import { cardOf, mayUseCard, useCard } from "./subscriptions/use-card";
import { balancesOf } from "./transactions/balances";
import { mayOwe } from "./transactions/debts";
import { paymentRequests } from "./transactions/payment-requests";

accountBalances.supply(balancesOf);
mayBeInDebt.supply(mayOwe);
mailLinks.supply({
  pay: payMailLink,
  receipt: receiptMailLink,
  refund: refundMailLink,
  expired_request: expiredMailLink,
  reset_password: resetMailLink,
  verify_email: emailMailLink,
  undo_email_change: emailMailLink,
  invitation: invitationMailLink,
  card: cardMailLink,
});
erasingPayer.supply(erasingPayerOf);
removeReplaced.supply(removeReplacedUser);
paymentRequests.supply(paymentRequestSteps);
providerEvent.supply(receiveProviderEvent);
subscriptions.supply({
  ...{ lock: lockFollowing, follow: followPayment, firstPaymentId: firstPaymentIdOf },
  ...{ mayUseCard, useCard, cardOf, cardPageUrl },
});
