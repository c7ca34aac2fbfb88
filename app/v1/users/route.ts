import { createUser } from "@/server/users/create";
import { listUsers } from "@/server/users/list";
import { route } from "@/server/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(createUser, listUsers);
