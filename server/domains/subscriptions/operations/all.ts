// The operations on subscriptions, by the names of their tRPC procedures.

import { createCardLink } from "./card-link";
import { viewCardPage } from "./card-page";
import { cancelSubscription, pauseSubscription, resumeSubscription } from "./change";
import { changeCard, leaveCard } from "./change-card";
import { getSubscription, listSubscriptions, subscriptionPeriods } from "./read";
import { subscriptionOfPayment, subscriptionRequests, subscriptionTitles } from "./shown";
import { updateSubscriptionFields } from "./update";

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
  cardLink: createCardLink,
  cardPage: viewCardPage,
  changeCard,
  leaveCard,
};
