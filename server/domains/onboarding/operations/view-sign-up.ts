// Whether anybody may sign up, and which organization a sign-up joins.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { operation } from "@/server/kit/operation";
import { organizationToSignUpTo } from "../sign-up";

export const viewSignUp = operation({
  id: "users.viewSignUp",
  summary: "Whether sign-up is open",
  access: rules["users.signUp"],
  effect: "read",
  input: z.strictObject({}),
  output: z.strictObject({
    organization: z
      .string()
      .nullable()
      .meta({ description: "The name of the organization to join. Null: sign-up is not open." }),
  }),
  errors: {},
  async run({ ctx }) {
    const organization = await organizationToSignUpTo(ctx.db, ctx.runtime.env);
    return { organization: organization?.name ?? null };
  },
});
