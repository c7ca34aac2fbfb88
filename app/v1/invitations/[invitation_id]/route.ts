import { revokeInvitation } from "@/server/domains/invitations/operations/revoke";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(revokeInvitation);
