// The hosted pay page: GET shows, POST acts and leads back to GET.
import { hosted } from "@/server/hosted/web";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hosted;
