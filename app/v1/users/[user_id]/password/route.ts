import { changePassword } from "@/server/users/change-password";
import { route } from "@/server/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(changePassword);
