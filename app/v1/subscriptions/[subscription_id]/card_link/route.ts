import { createCardLink } from "@/server/domains/subscriptions/operations/card-link";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(createCardLink);
