// PATCH /v1/accounts: changes name, e-mail, preferences, metadata or the owner of an open account.
import { rules } from "@/server/access/rules";
import { schedule } from "@/server/domains/jobs/queue";
import { changedValues } from "@/server/domains/records/changes";
import { foldEmail } from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { matchesVersion } from "@/server/kit/version";
import { searchTextOf } from "@/server/kit/words";
import { accountFor } from "../authorized-account";
import { handOver } from "../ownership";
import { presentAccount } from "../present";
import { accountTag, mergeInvoicePreferences, mergeMetadata, mergePreferences, numberingKeyOf } from "../rules";
import { account, updateInput } from "../schema";
import { changeAccount } from "../store";

export const updateAccount = operation({
  id: "accounts.update",
  summary: "Update account info",
  description:
    "Absent fields stay unchanged, null clears, objects merge. An admin may name another owner, and so may an API key " +
    "that also has the scope `accounts:owner`; the pay links of an account that had lost its owner can then be paid again. With `If-Match` and " +
    "the ETag of the last read, the update is refused if the account has changed in between.",
  access: rules["accounts.update"],
  accessFor: ({ owner_user_id }) => rules[owner_user_id === undefined ? "accounts.update" : "accounts.update.owner"],
  effect: "write",
  rest: { method: "PATCH", path: "/v1/accounts", etag: accountTag },
  input: updateInput,
  output: account,
  errors: {
    account_not_found: 400,
    account_closed: 400,
    user_not_found: 400,
    too_many_accounts: 400,
    version_conflict: 400,
    insufficient_permissions: 400,
    invalid_request: 400,
  },
  async run({ ctx, input, fail }) {
    const row = await accountFor(ctx, input.account_id, fail, { lock: "update" });
    const { ifMatch } = ctx.request;
    if (ifMatch !== null && !matchesVersion(ifMatch, row.updatedAt)) return fail("version_conflict");

    const { account_id: _, ...given } = input;
    const fields = Object.keys(given).sort();
    const owners = given.owner_user_id === undefined ? {} : { from: row.ownerUserId, to: given.owner_user_id };
    const name = given.account_name ?? row.name;
    const email = given.email ?? row.email;
    const values = changedValues({ account_name: row.name, email: row.email }, { account_name: name, email });
    ctx.audit({ target: row.id, detail: { fields, ...owners }, changes: { subject: row.id, values } });
    if (fields.length === 0) return presentAccount(ctx, row);

    const metadata = mergeMetadata(row.metadata, given.metadata);
    if (Object.keys(metadata).length > limits.metadata.keys) {
      return fail("invalid_request", `metadata: at most ${limits.metadata.keys} keys`);
    }
    const preferences =
      given.preferences === undefined ? row.preferences : mergePreferences(row.preferences, given.preferences);
    if (Object.keys(preferences.notifications).length > limits.notifications) {
      return fail("invalid_request", `preferences.notifications: at most ${limits.notifications} keys`);
    }
    const invoicePreferences = mergeInvoicePreferences(row.invoicePreferences, given.preferences);
    const { owner_user_id: ownerUserId } = given;
    if (ownerUserId !== undefined) await handOver(ctx, row, ownerUserId, fail);
    const changes = {
      ...(ownerUserId === undefined ? {} : { ownerUserId, orphanedAt: null }),
      name,
      email,
      emailKey: foldEmail(email),
      searchText: searchTextOf(name, email),
      preferences,
      invoicePreferences,
      numberingKey: numberingKeyOf(invoicePreferences),
      metadata,
    };
    const updated = await changeAccount(ctx.db, row, changes, ctx.now);
    const { timezone, reminder_hour } = row.preferences;
    if (preferences.timezone !== timezone || preferences.reminder_hour !== reminder_hour) {
      const { organizationId, id: objectId } = row;
      await schedule(ctx, { kind: "payments.move_reminders", organizationId, objectId, dueAt: ctx.now });
    }
    ctx.emit({ type: "account.updated", object: row.id, accountId: row.id, data: { account_id: row.id, fields } });
    return presentAccount(ctx, updated);
  },
});
