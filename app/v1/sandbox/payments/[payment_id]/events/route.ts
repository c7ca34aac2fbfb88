import { sandboxEvents } from "@/server/domains/sandbox/operations/simulate";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(sandboxEvents);
