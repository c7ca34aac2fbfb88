// First start on an empty database: creates the admin of ADMIN_EMAIL with an organization, or a one-time set-up link.
import { setTimeout as sleep } from "node:timers/promises";
import { hasAnyUser } from "@/server/domains/users/has-any-user";
import { EnvError } from "@/server/process/env";
import type { Runtime } from "@/server/process/runtime";
import { hashPassword } from "@/server/secrets/password";
import { isWeakPassword, weakPasswordText } from "@/server/secrets/weak-password";
import messages from "../../../messages/en.json";
import { firstOrganizationLock } from "./found-organization";
import { setupLink } from "./setup-token";
import { startOrganization } from "./start-organization";

const waitMs = 50;

/**
 * Creates the first organization (sandbox mode), its account and its admin if the database is empty and ADMIN_EMAIL is
 * set. Resolves with the one-time set-up link if the instance is not set up yet, else with null. Several processes may
 * call it at once: one of them creates the organization. Throws EnvError for a password that is easily guessed.
 */
export async function bootstrap(runtime: Runtime): Promise<string | null> {
  const { db, env } = runtime;
  if (await hasAnyUser(db.read)) return null;
  if (env.admin === null) return setupLink(runtime);
  const { email, password } = env.admin;
  if (isWeakPassword(password, { email })) {
    throw new EnvError([`ADMIN_PASSWORD: ${weakPasswordText}`]);
  }
  const passwordHash = await hashPassword(password, null);
  const founding = { organizationName: messages.organization.defaultName, email, name: null, passwordHash };
  while (!(await hasAnyUser(db.read))) {
    const founded = await startOrganization(runtime, "organizations.bootstrap", founding, async (tx) => {
      return (await db.tryLockName(tx, firstOrganizationLock)) && !(await hasAnyUser(tx));
    });
    if (founded) return null;
    // Another process has the lock. It will either commit, or fail and leave the work to this one.
    await sleep(waitMs);
  }
  return null;
}
