// 3-D Secure in the sandbox: the challenge page in place of the payer's bank.
import { hosted } from "@/server/hosted/web";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hosted;
