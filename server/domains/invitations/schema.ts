// Wire schemas of invitations: the record, and the inputs of creating, listing and revoking.
import * as z from "zod";
import { userRoles } from "@/db/schema/values";
import { newAccountFields } from "@/server/domains/accounts/schema";
import { userName } from "@/server/domains/users/schema";
import { anyOf, email, id, idOut, listParameters, locale, timestamp } from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";

export const invitationStatuses = ["open", "accepted", "revoked", "expired"] as const;

export const inviteToken = z.string().max(limits.oneTimeToken);

export const invitationId = id("inv", "The invitation.");

/** The account that a new user gets, in the inputs of creating and inviting one. */
export const accountOfUser = z.strictObject({ ...newAccountFields, email: email.nullish() });

export const createInput = z
  .strictObject({
    email,
    role: z.enum(userRoles),
    name: userName.nullish(),
    account: accountOfUser.nullish().meta({
      description:
        "The account that the user gets. Default: an individual account named after the user. Viewers and operators " +
        "have none.",
    }),
    locale: locale.nullish().meta({ description: "The language of the mail, and of the user. BCP 47.", example: "de" }),
  })
  .meta({ id: "CreateInvitation" });

export const listInput = z.strictObject({ status: anyOf(invitationStatuses).optional(), ...listParameters });

export const revokeInput = z.strictObject({ invitation_id: invitationId });

export const invitation = z
  .strictObject({
    invitation_id: idOut("inv", "The invitation."),
    email: z.string(),
    name: z.string().nullable(),
    role: z.enum(userRoles),
    status: z.enum(invitationStatuses),
    url: z.string().nullable().meta({
      description: "The page for accepting it. Only in the response to creating, while the invitation is open.",
      example: "https://pay.example.com/invitation/qtiv_4fKdV8bXqR2mZ7tJwY3nLcHsU9pGaE1oBxQ6iD5kTrN0eS1a2",
    }),
    invited_by: idOut("usr", "The user who invited; null if an API key did.").nullable(),
    created_at: timestamp,
    expires_at: timestamp.meta({ description: `${limits.invitationDays} days after its creation.` }),
    accepted_at: timestamp.nullable(),
  })
  .meta({ id: "Invitation", description: "Lets one person join the organization, with a role chosen by an admin." });

export type Invitation = z.infer<typeof invitation>;
export type InvitationStatus = (typeof invitationStatuses)[number];
