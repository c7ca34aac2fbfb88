import { listSubscriptions } from "@/server/domains/subscriptions/operations/read";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(listSubscriptions);
