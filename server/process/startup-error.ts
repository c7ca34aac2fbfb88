// Explains to the operator why the server could not start.
import { SchemaError } from "@/db/migration-files";
import { DatabaseInUse } from "@/db/process-lock";
import { EnvError } from "./env";
import { redactText } from "./log";

type Context = { port: number; host: string; databaseUrl: string; isWorker?: boolean } | null;

const databaseReasons: Record<string, string> = {
  SQLITE_CANTOPEN: "The file cannot be opened. Check that the folder exists and that this user may write to it.",
  SQLITE_NOTADB: "The file is not a SQLite database.",
  SQLITE_CORRUPT: "The file is damaged. Restore it from a backup.",
  SQLITE_READONLY: "The file or its folder cannot be written by this user.",
  SQLITE_BUSY: "Another process keeps writing to the database.",
  SQLITE_FULL: "The disk is full.",
  ECONNREFUSED: "No PostgreSQL server answers at this address.",
  ENOTFOUND: "The host name of the PostgreSQL server is unknown.",
  EAI_AGAIN: "The host name of the PostgreSQL server cannot be looked up.",
  ETIMEDOUT: "The PostgreSQL server does not answer.",
  EHOSTUNREACH: "The PostgreSQL server cannot be reached.",
  "28P01": "PostgreSQL refused the user or the password.",
  "28000": "PostgreSQL refused the user.",
  "3D000": "PostgreSQL has no database of this name. Create it first.",
  "42501": "The PostgreSQL user lacks a permission.",
  "53300": "PostgreSQL has no free connections.",
};

/** Explains, in a line or two, failures that operators meet; null for internal errors, which need their stack. */
export function explainStartupError(error: unknown, context: Context): string | null {
  if (error instanceof EnvError) return `${error.message}\n\n.env.example describes every variable.`;
  if (error instanceof DatabaseInUse) {
    return (
      `Another process already uses the database file ${error.path}: a server, or a restore in progress.\n` +
      "Stop it first, or give this server another database: DATABASE_URL=file:./data/other.db npm start"
    );
  }
  if (error instanceof SchemaError) return error.message;
  const codes = codesOf(error);
  if (codes.includes("EADDRINUSE")) {
    const remedy = context?.isWorker
      ? "give this worker another WORKER_PORT"
      : "choose another port: PORT=3001 npm start";
    return `Port ${context?.port} is in use by another program. Stop it, or ${remedy}`;
  }
  if (codes.includes("EADDRNOTAVAIL")) return `HOST: ${context?.host} is not an address of this machine.`;
  if (codes.includes("EACCES") && codesOf(error, "syscall").includes("listen")) {
    return `This user may not listen on port ${context?.port}. Choose one above 1023.`;
  }
  for (const code of codes) {
    const reason = databaseReasons[code] ?? databaseReasons[code.split("_").slice(0, 2).join("_")];
    if (reason) return `The database cannot be used: ${redactText(context?.databaseUrl ?? "")}\n${reason}`;
  }
  const isFileFault = codes.some((code) =>
    ["EACCES", "EPERM", "EROFS", "ENOSPC", "ENOTDIR", "EISDIR", "ELOOP"].includes(code),
  );
  const isOurMessage = error instanceof Error && /^(SECRET_KEY|.*secret\.key):/.test(error.message);
  if (error instanceof Error && (isFileFault || isOurMessage)) return redactText(error.message);
  return null;
}

/** The `code` (or another text property) of the error and of its causes. A refused connection is an AggregateError. */
function codesOf(error: unknown, property = "code"): string[] {
  if (!(error instanceof Error)) return [];
  const own: unknown = Reflect.get(error, property);
  const inner = error instanceof AggregateError ? error.errors.flatMap((each) => codesOf(each, property)) : [];
  return [...(typeof own === "string" ? [own] : []), ...inner, ...codesOf(error.cause, property)];
}
