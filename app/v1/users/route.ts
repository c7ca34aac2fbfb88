import { createUser } from "@/server/domains/onboarding/operations/create-user";
import { listUsers } from "@/server/domains/users/operations/list";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(createUser, listUsers);
