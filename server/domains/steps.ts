// Which domain supplies the steps that a domain below it needs. All code that runs operations or jobs imports this file.
import { accountBalances } from "./accounts/balances";
import { paymentRequestSteps } from "./payments/request-steps";
import { providerEvent } from "./providers/event";
import { balancesOf } from "./transactions/balances";
import { paymentRequests } from "./transactions/payment-requests";
import { receiveProviderEvent } from "./transactions/provider-event";

accountBalances.supply(balancesOf);
paymentRequests.supply(paymentRequestSteps);
providerEvent.supply(receiveProviderEvent);
