import { createApiKey } from "@/server/domains/api-keys/operations/create";
import { listApiKeys } from "@/server/domains/api-keys/operations/list";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(createApiKey, listApiKeys);
