// Wire schemas of second factors.
import * as z from "zod";
import { limits } from "@/server/kit/limits";

export const oneTimeCode = z.string().max(limits.oneTimeCode).meta({
  description: "A code from the authenticator app, or a recovery code. Required once the user has a second factor.",
  example: "492039",
});

export const codesOutput = z.strictObject({
  recovery_codes: z
    .array(z.string())
    .meta({ description: "New recovery codes, shown once; empty if the user keeps the current ones." }),
});
