// The hosted page behind a link about an e-mail address: GET shows, POST uses the link.
import { hosted } from "@/server/hosted/web";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hosted;
