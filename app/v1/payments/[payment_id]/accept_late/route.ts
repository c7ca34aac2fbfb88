import { acceptLate } from "@/server/domains/payments/operations/accept-late";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(acceptLate);
