// The wire form of creating a user together with its account.
import * as z from "zod";
import { userRoles } from "@/db/schema/values";
import { newAccountFields } from "@/server/domains/accounts/schema";
import { userName } from "@/server/domains/users/schema";
import { email, id } from "@/server/kit/fields";
import { newPassword } from "@/server/secrets/password";

export const createInput = z.strictObject({
  email,
  password: newPassword,
  name: userName.nullish(),
  account: z
    .strictObject({ ...newAccountFields, email: email.nullish() })
    .nullish()
    .meta({ description: "Its account; without this an individual one, named after the user." }),
  organization_id: id(
    "org",
    "The caller's organization. Someone who signs up joins the instance's first one and names none.",
  ).nullish(),
  role: z.enum(userRoles).nullish().meta({ description: "Admins only; a member otherwise." }),
});
