// A credit note behind a pay link, and its PDF.
import { hosted } from "@/server/hosted/web";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hosted;
