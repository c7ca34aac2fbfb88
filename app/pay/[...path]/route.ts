// Every other path under /pay: no page, with the headers of one.
import { hosted } from "@/server/hosted/web";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hosted;
