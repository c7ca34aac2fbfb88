import { listMails } from "@/server/domains/outbox/operations/list";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(listMails);
