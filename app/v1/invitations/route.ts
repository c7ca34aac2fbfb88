import { createInvitation } from "@/server/domains/invitations/operations/create";
import { listInvitations } from "@/server/domains/invitations/operations/list";
import { route } from "@/server/http/web";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(createInvitation, listInvitations);
