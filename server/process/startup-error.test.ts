// Failures that an operator can cause are explained; internal errors keep their stack.
import { describe, expect, it } from "vitest";
import { MigrationBlocked, SchemaIsNewer } from "@/db/migration-files";
import { DatabaseInUse } from "@/db/process-lock";
import { parseEnv } from "./env";
import { explainStartupError } from "./startup-error";

const context = { port: 3000, host: "127.0.0.1", databaseUrl: "postgres://app:hunter2@db/quittance" };
const withCode = (code: string, more = {}) => Object.assign(new Error(code), { code, ...more });

describe("explainStartupError", () => {
  it("lists all wrong variables", () => {
    let caught: unknown;
    try {
      parseEnv({ PORT: "x", LOG_LEVEL: "loud" });
    } catch (error) {
      caught = error;
    }
    const text = explainStartupError(caught, null);
    expect(text).toMatch(/PORT: .*\n.*LOG_LEVEL: /);
  });

  it("explains a schema of a newer version, and a migration that is blocked", () => {
    expect(explainStartupError(new SchemaIsNewer(), context)).toContain("newer version of Quittance");
    expect(explainStartupError(new MigrationBlocked("It is blocked.", withCode("55P03")), context)).toBe(
      "It is blocked.",
    );
  });

  it("names the database file in use, and what may use it", () => {
    const text = explainStartupError(new DatabaseInUse("/srv/q.db"), context);
    expect(text).toMatch(/^Another process already uses the database file \/srv\/q.db: a server, or a restore/);
  });

  it("names the port in use", () => {
    expect(explainStartupError(withCode("EADDRINUSE"), context)).toContain("Port 3000 is in use");
  });

  it("distinguishes a forbidden port from an unreadable file", () => {
    expect(explainStartupError(withCode("EACCES", { syscall: "listen" }), context)).toContain("port 3000");
    expect(explainStartupError(withCode("EACCES", { syscall: "open" }), context)).toBe("EACCES");
  });

  it("names the database without its password", () => {
    const refused = new AggregateError([withCode("ECONNREFUSED")]);
    const text = explainStartupError(new Error("could not migrate", { cause: refused }), context);
    expect(text).toContain("No PostgreSQL server answers");
    expect(text).not.toContain("hunter2");
  });

  it.each(["SQLITE_NOTADB", "SQLITE_CANTOPEN_ISDIR", "3D000"])("explains %s", (code) => {
    expect(explainStartupError(withCode(code), context)).toContain("The database cannot be used");
  });

  it("leaves other errors to their stack", () => {
    expect(explainStartupError(new TypeError("x is not a function"), context)).toBeNull();
  });
});
