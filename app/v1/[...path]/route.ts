// Paths under /v1 that no operation has: refused in the interface's own words.
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route();
