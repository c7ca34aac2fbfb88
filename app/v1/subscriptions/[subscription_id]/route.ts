import { getSubscription } from "@/server/domains/subscriptions/operations/read";
import { updateSubscriptionFields } from "@/server/domains/subscriptions/operations/update";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(getSubscription, updateSubscriptionFields);
