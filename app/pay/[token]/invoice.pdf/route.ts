// The PDF of the invoice behind a pay link.
import { hosted } from "@/server/hosted/web";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hosted;
