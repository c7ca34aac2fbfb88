import { removeUser } from "@/server/domains/closing/operations/remove-user";
import { updateUser } from "@/server/domains/onboarding/operations/update-user";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(removeUser, updateUser);
