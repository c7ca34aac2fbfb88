import { removeUser } from "@/server/users/remove";
import { route } from "@/server/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(removeUser);
