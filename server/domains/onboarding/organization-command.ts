// The command line's organization commands: create one, list all.
import * as z from "zod";
import { listOrganizations } from "@/server/domains/organizations/store";
import { userName } from "@/server/domains/users/schema";
import { email } from "@/server/kit/fields";
import { describeIssues, parsePlainly } from "@/server/kit/issues";
import { iso } from "@/server/process/clock";
import { CommandError } from "@/server/process/command-error";
import type { Runtime } from "@/server/process/runtime";
import { hashPassword, newPassword } from "@/server/secrets/password";
import { isWeakPassword, weakPasswordText } from "@/server/secrets/weak-password";
import type { Founded } from "./found-organization";
import { organizationName } from "./schema";
import { startOrganization } from "./start-organization";

const founding = z.strictObject({
  name: organizationName,
  email,
  password: newPassword,
  admin_name: userName.optional(),
});

/** Creates an organization with its admin; throws CommandError naming every invalid option. */
export async function createOrganization(runtime: Runtime, options: z.input<typeof founding>): Promise<Founded> {
  const parsed = parsePlainly(founding, options);
  if (!parsed.success) throw new CommandError(describeIssues(parsed.error.issues));
  const { name, email, password, admin_name } = parsed.data;
  if (isWeakPassword(password, { email, organization: name })) {
    throw new CommandError(`password: ${weakPasswordText}`);
  }
  const founded = await startOrganization(runtime, "organizations.create", {
    organizationName: name,
    email,
    name: admin_name ?? null,
    passwordHash: await hashPassword(password, null),
  });
  if (!founded) throw new CommandError(`email: a user already has the address ${email}`);
  return founded;
}

/** One line for each organization, oldest first: id, mode, time of creation, name. */
export async function describeOrganizations(runtime: Runtime): Promise<string[]> {
  const rows = await listOrganizations(runtime.db.read);
  return rows.map((row) => [row.id, row.mode.padEnd(7), iso(row.createdAt), row.name].join("  "));
}
