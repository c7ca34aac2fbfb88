import { rotateApiKey } from "@/server/domains/api-keys/operations/rotate";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(rotateApiKey);
