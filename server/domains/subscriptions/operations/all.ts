// The operations on subscriptions, by the names of their tRPC procedures.
import { cancelSubscription, pauseSubscription, resumeSubscription, updateSubscriptionFields } from "./change";
import { getSubscription, listSubscriptions, subscriptionPeriods } from "./read";
import { subscriptionOfPayment, subscriptionRequests, subscriptionTitles } from "./shown";

export const subscriptionOperations = {
  list: listSubscriptions,
  get: getSubscription,
  cycles: subscriptionPeriods,
  titles: subscriptionTitles,
  requests: subscriptionRequests,
  ofPayment: subscriptionOfPayment,
  update: updateSubscriptionFields,
  cancel: cancelSubscription,
  pause: pauseSubscription,
  resume: resumeSubscription,
};
