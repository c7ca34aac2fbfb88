// The operator's command line: npm run cli -- <command>. Exit codes: 0 success, 1 failure, 2 wrong usage.
import "@/server/process/supported-node";
import { parseArgs } from "node:util";
import { expectMigrated } from "@/db/migrate";
import {
  backUp,
  backUpDaily,
  notConfirmed,
  noteDump,
  noteRestored,
  questionOfRestored,
  restore,
} from "@/server/backup/command";
import { verifyAddress } from "@/server/domains/addresses/command";
import { createKey } from "@/server/domains/api-keys/command";
import { createOrganization, describeOrganizations } from "@/server/domains/onboarding/organization-command";
import { createResetLink, describeUsers } from "@/server/domains/sessions/user-command";
import { limits } from "@/server/kit/limits";
import { CommandError } from "@/server/process/command-error";
import { parseEnv } from "@/server/process/env";
import { openRuntime, type Runtime } from "@/server/process/runtime";
import { explainStartupError } from "@/server/process/startup-error";
import { askSecret, confirm } from "@/server/process/terminal";

const usage = `Usage: npm run cli -- <command>

  organization create --name <name> --email <address> [--admin-name <name>]
      Creates an organization in sandbox mode, its first account and its admin. The admin's
      password is read from the terminal, or taken from QUITTANCE_PASSWORD.
  organization list
      Lists the organizations: id, mode, time of creation, name.
  api-key create --name <name> --scopes <scope,scope> [--account <account>]
                 [--organization <id>] [--expires <time>]
      Creates an API key and prints its secret, which is not shown again. --account binds it to
      an account, named by its id or by the e-mail address of a user whose account it is.
      Without --account it is for the whole organization, which --organization names if there
      are several. The time is like 2027-12-31T00:00:00Z. All admins are told by mail.
  user list
      Lists the active users: id, organization, role, last sign-in, e-mail address.
  user reset-password <address> [--remove-factors]
      Prints a link with which the user chooses a new password. It works once, for ${limits.resetLinkMinutes} minutes,
      and until a newer one is made. The page also asks for the second factor; with
      --remove-factors it does not: the user's second factors are removed, and the user and
      all admins are told by mail. Then anyone who has the link can sign in as that user.
  user verify <address>
      Confirms the user's e-mail address without a mail.
  backup <folder>
      Copies the SQLite file into a new file in the folder, also while the server runs, and
      checks the copy and its ledger. With --daily instead of a folder: as the daily job
      does it, into BACKUP_DIR, keeping BACKUP_KEEP daily backups.
  backed-up <file>
      After PostgreSQL's own tools have made a backup: notes it for /metrics and the dashboard.
  restore <backup> [--keep-sessions] [--unproved]
      Puts a backup in the place of the SQLite file, once its checks have passed. The server
      must be stopped. The present file is kept beside it. Ends all sessions, unless they are
      to be kept. With --unproved also if its ledger is not sound: only if there is no other
      backup.
  restored <backup> [--keep-sessions] [--yes]
      After a PostgreSQL database was restored with its own tools: ends all sessions, unless
      they are to be kept, and records the restore. It asks first, unless it gets --yes.
`;

const options = {
  name: { type: "string" },
  email: { type: "string" },
  "admin-name": { type: "string" },
  scopes: { type: "string" },
  account: { type: "string" },
  organization: { type: "string" },
  expires: { type: "string" },
  daily: { type: "boolean" },
  "keep-sessions": { type: "boolean" },
  "remove-factors": { type: "boolean" },
  unproved: { type: "boolean" },
  yes: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

type Values = { [name in keyof typeof options]?: (typeof options)[name]["type"] extends "string" ? string : boolean };

/** The command line is invalid. */
class UsageError extends Error {}

async function create(values: Values): Promise<void> {
  const { name, email } = values;
  if (name === undefined || email === undefined) throw new UsageError("--name and --email are required.");
  const password =
    process.env.QUITTANCE_PASSWORD ??
    (await askSecret(`Password of ${email}: `, { input: process.stdin, output: process.stderr }));
  const founded = await withRuntime((runtime) =>
    createOrganization(runtime, { name, email, password, admin_name: values["admin-name"] }),
  );
  console.log(
    `Organization ${founded.organizationId}\nAccount      ${founded.accountId}\nAdmin        ${founded.userId}`,
  );
}

async function list(): Promise<void> {
  for (const line of await withRuntime(describeOrganizations)) console.log(line);
}

async function createApiKey({ name, scopes, account, organization, expires }: Values): Promise<void> {
  if (name === undefined || scopes === undefined) throw new UsageError("--name and --scopes are required.");
  const options = { name, scopes: scopes.split(",").map((scope) => scope.trim()), account, organization, expires };
  console.log(await withRuntime((runtime) => createKey(runtime, options)));
}

async function listUsers(): Promise<void> {
  await withRuntime(async (runtime) => {
    for await (const line of describeUsers(runtime)) console.log(line);
  });
}

async function resetPassword(email: string | undefined, removesFactors: boolean): Promise<void> {
  if (email === undefined) throw new UsageError("The user's e-mail address is required.");
  console.log(await withRuntime((runtime) => createResetLink(runtime, email, { removesFactors })));
}

async function verifyUser(email: string | undefined): Promise<void> {
  if (email === undefined) throw new UsageError("The user's e-mail address is required.");
  await withRuntime((runtime) => verifyAddress(runtime, email));
  console.log(`The address ${email} counts as confirmed.`);
}

async function makeBackup(folder: string | undefined, isDaily: boolean): Promise<void> {
  if ((folder === undefined) !== isDaily) throw new UsageError("Either a folder or --daily is required.");
  const env = parseEnv(process.env);
  print(await (folder === undefined ? backUpDaily(env) : backUp(env, folder, console.error)));
}

function noteBackedUp(file: string | undefined): void {
  if (file === undefined) throw new UsageError("The backup's file is required.");
  print(noteDump(parseEnv(process.env), file));
}

async function restoreFrom(file: string | undefined, values: Values): Promise<void> {
  if (file === undefined) throw new UsageError("The backup's file is required.");
  const options = { keepSessions: values["keep-sessions"] ?? false, unproved: values.unproved ?? false };
  print(await restore(parseEnv({ ...process.env, LOG_LEVEL: "silent" }), file, options, console.error));
}

async function recordRestored(name: string | undefined, values: Values): Promise<void> {
  if (name === undefined) throw new UsageError("The name of the backup is required, for the audit log.");
  const keepSessions = values["keep-sessions"] ?? false;
  if (!keepSessions && !values.yes) {
    const terminal = { input: process.stdin, output: process.stderr };
    if (!(await confirm(questionOfRestored(parseEnv(process.env)), terminal))) throw new CommandError(notConfirmed);
  }
  print(await withRuntime((runtime) => noteRestored(runtime, name, { keepSessions })));
}

const print = (lines: readonly string[]) => console.log(lines.join("\n"));

/** Runs a command on a database that others may be using, and therefore never migrates it. */
async function withRuntime<T>(work: (runtime: Runtime) => Promise<T>): Promise<T> {
  const env = parseEnv({ ...process.env, LOG_LEVEL: "silent" });
  await expectMigrated(env.databaseUrl, { report: console.error });
  const runtime = await openRuntime(env);
  try {
    return await work(runtime);
  } finally {
    await runtime.close();
  }
}

async function main(args: string[]): Promise<void> {
  const { positionals, values } = readArguments(args);
  if (values.help) return console.log(usage);
  const words = positionals.slice(0, takesOneWord(positionals[0]) ? 1 : 2);
  const [subject, ...surplus] = positionals.slice(words.length);
  const command = words.join(" ");
  if (surplus.length > 0 || (subject !== undefined && !takesSubject.includes(command))) {
    throw new UsageError("Too many arguments.");
  }
  switch (command) {
    case "organization create":
      return create(values);
    case "organization list":
      return list();
    case "api-key create":
      return createApiKey(values);
    case "user list":
      return listUsers();
    case "user reset-password":
      return resetPassword(subject, values["remove-factors"] ?? false);
    case "user verify":
      return verifyUser(subject);
    case "backup":
      return makeBackup(subject, values.daily ?? false);
    case "backed-up":
      return noteBackedUp(subject);
    case "restore":
      return restoreFrom(subject, values);
    case "restored":
      return recordRestored(subject, values);
    default:
      throw new UsageError(positionals.length === 0 ? "No command was given." : "Unknown command.");
  }
}

/** Commands with an argument that is not an option. */
const takesSubject = ["user reset-password", "user verify", "backup", "backed-up", "restore", "restored"];

const takesOneWord = (word = ""): boolean => takesSubject.includes(word);

function readArguments(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : undefined, { cause: error });
  }
}

/** Prints what went wrong. Internal errors are printed with their stack. */
function report(error: unknown): number {
  if (error instanceof UsageError) {
    console.error(`${error.message}\n\n${usage}`);
    return 2;
  }
  const { PORT, HOST, DATABASE_URL } = process.env;
  const context = {
    port: Number(PORT ?? 0),
    host: HOST ?? "",
    databaseUrl: DATABASE_URL ?? "file:./data/quittance.db",
  };
  const reason = error instanceof CommandError ? error.message : explainStartupError(error, context);
  console.error(reason ?? error);
  return 1;
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.exitCode = report(error);
}
