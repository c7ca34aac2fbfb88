// Wire schemas of users: the record, listing, removing, and changing a password.
import * as z from "zod";
import { userRoles, userStatuses } from "@/db/schema/values";
import { anyOf, email, id, idOut, listParameters, locale, name, text, timestamp, timezone } from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { givenPassword, newPassword } from "@/server/secrets/password";

export const userId = id("usr", "The user.");
export const userName = name.meta({ example: "Ada Lovelace" });

export const user = z
  .strictObject({
    user_id: idOut("usr", "The user."),
    organization_id: idOut("org", "The user's organization."),
    account_id: idOut("acct", "The account that the user acts for by default.").nullable(),
    email: z.string(),
    email_verified_at: timestamp
      .nullable()
      .meta({ description: "When the user verified the e-mail address. Null until then." }),
    name: z.string().nullable(),
    role: z.enum(userRoles),
    status: z.enum(userStatuses),
    locale: z.string().nullable().meta({ description: "BCP 47. Null: the language that the browser asks for." }),
    timezone: z.string().nullable().meta({ description: "IANA. Null: the zone of the browser." }),
    mfa_enabled: z.boolean(),
    created_at: timestamp,
    last_login_at: timestamp.nullable(),
  })
  .meta({ id: "User", description: "A person who signs in. A removed user keeps the id and no personal data." });

const revokesKeys = z.boolean().default(true);

export const updateInput = z
  .strictObject({
    user_id: userId,
    name: userName.nullish(),
    locale: locale.nullish(),
    timezone: timezone.nullish(),
    role: z.enum(userRoles).optional().meta({ description: "For admins only." }),
    revoke_api_keys: revokesKeys.meta({
      description: "Whether an admin who gets another role loses the API keys that this admin made: they are revoked.",
    }),
  })
  .meta({ id: "UpdateUser" });

export const passwordInput = z
  .strictObject({ user_id: userId, current_password: givenPassword, new_password: newPassword })
  .meta({ id: "ChangePassword" });

export const removeInput = z
  .strictObject({
    user_id: userId,
    new_owner_user_id: id(
      "usr",
      "An active user of the organization, who gets the user's open accounts. For admins and API keys.",
    ).nullish(),
    revoke_api_keys: revokesKeys.meta({
      description:
        "Whether to revoke the API keys that the user made as an admin, whose secrets the user may know. Those for the " +
        "user's own accounts are revoked in any case. For admins; an API key revokes no others.",
    }),
  })
  .meta({ id: "RemoveUser" });

export const removedUser = z
  .strictObject({
    user_id: idOut("usr", "The removed user."),
    removed: z.literal(true),
    removed_at: timestamp,
    revoked_sessions: z.int(),
    revoked_tokens: z.int(),
    orphaned_account_ids: z
      .array(idOut("acct", "An account."))
      .meta({ description: "Accounts that no longer have an owner." }),
  })
  .meta({ id: "RemovedUser" });

export const changedPassword = z
  .strictObject({
    user_id: idOut("usr", "The user."),
    revoked_sessions: z.int().meta({ description: "Other sessions of the user that ended." }),
    revoked_tokens: z.int(),
    changed_at: timestamp,
  })
  .meta({ id: "ChangedPassword" });

export const listInput = z.strictObject({
  status: anyOf(userStatuses).optional(),
  role: anyOf(userRoles).optional(),
  email: email.optional(),
  mfa_enabled: z
    .enum(["true", "false"])
    .optional()
    .meta({ description: "Whether the user has a second factor.", example: "true" }),
  q: text(limits.searchText).optional().meta({
    description: "Beginnings of words of name and e-mail, without regard to case and accents; or a full id.",
    example: "ada",
  }),
  ...listParameters,
});

export type User = z.infer<typeof user>;
export type UserFilters = Pick<z.output<typeof listInput>, "status" | "role" | "email" | "mfa_enabled" | "q">;
