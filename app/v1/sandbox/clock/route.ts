import { sandboxClock } from "@/server/domains/sandbox/operations/clock";
import { moveSandboxClock } from "@/server/domains/sandbox/operations/move-clock";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(moveSandboxClock, sandboxClock);
