// The image at the address of a logo. Anyone may see it: it is on pay pages, and only its hash finds it.
import * as z from "zod";
import { logoTypes } from "@/db/schema/values";
import { rules } from "@/server/access/rules";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { findLogo } from "../logo-store";

export const viewLogo = operation({
  id: "accounts.viewLogo",
  summary: "View the logo of an account",
  access: rules["accounts.viewLogo"],
  effect: "read",
  input: z.strictObject({ hash: z.string().max(limits.id) }),
  output: z.strictObject({ type: z.enum(logoTypes), image: z.base64() }),
  errors: { logo_not_found: 404 },
  async run({ ctx, input, fail }) {
    return (await findLogo(ctx.db, input.hash)) ?? fail("logo_not_found");
  },
});
