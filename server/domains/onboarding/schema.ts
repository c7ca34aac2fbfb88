// Wire schemas for creating a user together with an account.
import * as z from "zod";
import { userRoles } from "@/db/schema/values";
import { accountOfUser, inviteToken } from "@/server/domains/invitations/schema";
import { userName } from "@/server/domains/users/schema";
import { email, id, name } from "@/server/kit/fields";
import { newPassword } from "@/server/secrets/password";

export const organizationName = name.meta({ example: "Ada's bakery" });

export const createInput = z
  .strictObject({
    email: email.optional().meta({ description: "Required without an invitation. With one, the invited address." }),
    password: newPassword,
    name: userName.nullish(),
    account: accountOfUser.nullish().meta({
      description:
        "The user's account. Default: an individual account named after the user. Viewers and operators have none.",
    }),
    organization_id: id(
      "org",
      "The caller's organization. A sign-up names none and joins the instance's first one.",
    ).nullish(),
    invite_token: inviteToken.nullish().meta({
      description:
        "The token of an invitation's link. The invitation sets the organization, role and account; the call has no " +
        "credential.",
      example: "qtiv_4fKdV8bXqR2mZ7tJwY3nLcHsU9pGaE1oBxQ6iD5kTrN0eS1a2",
    }),
    role: z.enum(userRoles).nullish().meta({ description: "For admins only. Default: member." }),
  })
  .meta({ id: "CreateUser" });
