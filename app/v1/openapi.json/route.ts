// GET /v1/openapi.json: the description of the interface, for anyone.
import { operations } from "@/server/operations";
import { route } from "@/server/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(operations.documents.openapi);
