import { stormEvents } from "@/server/domains/sandbox/operations/storm";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(stormEvents);
