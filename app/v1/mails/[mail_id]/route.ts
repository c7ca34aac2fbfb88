import { getMail } from "@/server/domains/outbox/operations/get";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(getMail);
