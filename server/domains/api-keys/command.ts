// The command line's way to create an API key, for scripts that cannot open a browser.
import { findAccountOf } from "@/server/domains/accounts/store";
import { listOrganizations } from "@/server/domains/organizations/store";
import { inBackground } from "@/server/domains/records/in-background";
import { findByEmail } from "@/server/domains/users/store";
import type { WriteContext } from "@/server/kit/context";
import { errorMeanings } from "@/server/kit/errors";
import { describeIssues } from "@/server/kit/issues";
import type { Fail } from "@/server/kit/operation";
import { CommandError } from "@/server/process/command-error";
import type { Runtime } from "@/server/process/runtime";
import { makeKey } from "./make";
import { createInput } from "./schema";

interface KeyOptions {
  name: string;
  scopes: readonly string[];
  /** An account, or the e-mail address of a user whose default account is meant. */
  account: string | undefined;
  /** Needed if there are several organizations and no account is given. */
  organization: string | undefined;
  /** ISO 8601. */
  expires: string | undefined;
}

/** Creates an API key and returns its secret; throws CommandError naming what is wrong with the options. */
export function createKey(runtime: Runtime, options: KeyOptions): Promise<string> {
  return inBackground(runtime, "api_keys.create_by_command", async (ctx) => {
    const { organizationId, accountId } = await placeOf(ctx, options);
    const parsed = createInput.safeParse({
      ...{ name: options.name, scopes: [...options.scopes], account_id: accountId },
      expires_at: options.expires ?? null,
    });
    if (!parsed.success) throw new CommandError(describeIssues(parsed.error.issues));
    const within = { ...ctx, scope: { organizationId, ownerUserId: null, accountId: null } };
    const { secret } = await makeKey(within, parsed.data, null, refuse);
    if (secret === null) throw new Error("A new API key has a secret.");
    return secret;
  });
}

const refuse: Fail<keyof typeof errorMeanings> = (code, description) => {
  throw new CommandError(description ?? errorMeanings[code]);
};

interface Place {
  organizationId: string;
  accountId: string | null;
}

/** The organization of the key, and its account if it is bound to one. */
async function placeOf(ctx: WriteContext, { account, organization }: KeyOptions): Promise<Place> {
  const place = account === undefined ? null : await accountOf(ctx, account);
  if (place) {
    if (organization !== undefined && organization !== place.organizationId) {
      throw new CommandError(`The account ${account} belongs to another organization.`);
    }
    return place;
  }
  const all = await listOrganizations(ctx.db);
  const named = organization === undefined ? all : all.filter(({ id }) => id === organization);
  const [first, another] = named;
  if (!first) throw new CommandError(`There is no organization${organization ? ` ${organization}` : ""}.`);
  if (another) throw new CommandError("There are several organizations: --organization or --account is required.");
  return { organizationId: first.id, accountId: null };
}

async function accountOf(ctx: WriteContext, named: string): Promise<Place> {
  const user = named.includes("@") ? await findByEmail(ctx.db, named) : undefined;
  const row = await findAccountOf(ctx.db, user?.accountId ?? named);
  if (!row) throw new CommandError(`There is no account ${named}, and no user with this address who has one.`);
  return { organizationId: row.organizationId, accountId: row.id };
}
