// What the page behind an invitation's link shows.
import * as z from "zod";
import { userRoles } from "@/db/schema/values";
import { rules } from "@/server/access/rules";
import { organizationById } from "@/server/domains/organizations/organization";
import { operation } from "@/server/kit/operation";
import { invitationOf } from "../link";
import { statusOf } from "../rules";
import { inviteToken } from "../schema";

export const viewInvitation = operation({
  id: "invitations.view",
  summary: "State of an invitation's link",
  access: rules["invitations.view"],
  effect: "read",
  input: z.strictObject({ token: inviteToken }),
  output: z.strictObject({
    state: z.enum(["open", "accepted", "expired", "unknown"]).meta({ description: "`unknown`: also if revoked." }),
    open: z
      .strictObject({
        organization: z.string(),
        email: z.string(),
        name: z.string().nullable(),
        role: z.enum(userRoles),
        locale: z.string().nullable(),
      })
      .nullable(),
  }),
  errors: {},
  async run({ ctx, input }) {
    const found = await invitationOf(ctx.db, input.token);
    const status = found ? statusOf(found.row, ctx.now) : "revoked";
    if (!found || status === "revoked") return { state: "unknown" as const, open: null };
    if (status !== "open") return { state: status, open: null };
    const { email, name, role, locale, organizationId } = found.row;
    const { name: organization } = await organizationById(ctx.db, organizationId);
    return { state: status, open: { organization, email, name, role, locale } };
  },
});
