import { route } from "@/server/http/web";
import { operations } from "@/server/pipeline/operations";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(operations.documents.openapi);
