import { pauseSubscription } from "@/server/domains/subscriptions/operations/change";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(pauseSubscription);
