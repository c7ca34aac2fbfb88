// GET /v1/invitations: the organization's invitations, without their links.
import { rules } from "@/server/access/rules";
import { page } from "@/server/kit/fields";
import { countThrough, lookThrough } from "@/server/kit/look-through";
import { operation } from "@/server/kit/operation";
import { pageOf } from "@/server/kit/page";
import { exactly } from "@/server/kit/totals";
import { presentInvitation } from "../present";
import { invitation, listInput } from "../schema";
import { invitationSource } from "../store";

export const listInvitations = operation({
  id: "invitations.list",
  summary: "List invitations",
  description: "Newest first, with those that were accepted, revoked or have expired, for 90 days after they expire.",
  access: rules["invitations.read"],
  effect: "read",
  rest: { method: "GET", path: "/v1/invitations", extension: true },
  input: listInput,
  output: page(invitation),
  errors: { insufficient_permissions: 400, invalid_cursor: 400 },
  async run({ ctx, input, fail }) {
    const sources = [invitationSource(ctx.db, ctx.scope, input.status, ctx.now)];
    return pageOf(ctx.runtime.keys, input, fail, {
      list: "invitations",
      rows: (position, limit) => lookThrough(ctx.request, sources, position, limit),
      total: () => exactly(countThrough(ctx.request, sources)),
      present: (rows) => rows.map((row) => presentInvitation(row, ctx.now)),
    });
  },
});
