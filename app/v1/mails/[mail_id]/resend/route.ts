import { resendMail } from "@/server/domains/outbox/operations/resend";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(resendMail);
