// Wire schemas for creating a user together with an account.
import * as z from "zod";
import { userRoles } from "@/db/schema/values";
import { newAccountFields } from "@/server/domains/accounts/schema";
import { userName } from "@/server/domains/users/schema";
import { email, id } from "@/server/kit/fields";
import { newPassword } from "@/server/secrets/password";

export const createInput = z
  .strictObject({
    email,
    password: newPassword,
    name: userName.nullish(),
    account: z
      .strictObject({ ...newAccountFields, email: email.nullish() })
      .nullish()
      .meta({
        description:
          "The user's account. Default: an individual account named after the user. Viewers and operators have none.",
      }),
    organization_id: id(
      "org",
      "The caller's organization. A sign-up names none and joins the instance's first one.",
    ).nullish(),
    role: z.enum(userRoles).nullish().meta({ description: "For admins only. Default: member." }),
  })
  .meta({ id: "CreateUser" });
