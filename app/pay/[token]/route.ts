// The hosted pay page: GET shows it; POST acts and redirects to GET.
import { hosted } from "@/server/hosted/web";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hosted;
