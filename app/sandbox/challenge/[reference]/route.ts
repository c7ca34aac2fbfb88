// 3-D Secure in the sandbox: what the payer's bank would ask.
import { hosted } from "@/server/hosted/web";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hosted;
