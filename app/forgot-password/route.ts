// The hosted page for a forgotten password: GET shows the form, POST asks for a link.
import { hosted } from "@/server/hosted/web";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hosted;
