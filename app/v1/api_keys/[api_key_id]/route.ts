import { revokeApiKey } from "@/server/domains/api-keys/operations/revoke";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(revokeApiKey);
