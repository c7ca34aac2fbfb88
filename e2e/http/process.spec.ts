// The server as a process: errors at startup, the headers of a page, and signals sent to npm start.
import { spawn } from "node:child_process";
import path from "node:path";
import { expect, test } from "../fixtures";
import { exitCodeOf, failToStart, freePort, serverEnvironment } from "../server";

test.describe("refusing to start", () => {
  test("lists every wrong variable at once", async ({ server }) => {
    const { code, text } = await failToStart(server, { PORT: "70000", SIGNUP: "maybe", ACCESS_TOKEN_TTL: "900" });
    expect(code).toBe(1);
    expect(text).toMatch(/PORT: .*\n\s+SIGNUP: .*\n\s+ACCESS_TOKEN_TTL: /);
    expect(text).not.toMatch(/\n\s+at /);
  });

  test("says that the port is taken", async ({ server }) => {
    const port = new URL(server.url).port;
    // With the server's own database, the error about the database in use would come first.
    const DATABASE_URL = `file:${path.join(server.dataDir, "other.db")}`;
    const { code, text } = await failToStart(server, { DATABASE_URL, PORT: port });
    expect(code).toBe(1);
    expect(text).toContain(`Port ${port} is in use`);
  });
});

test.describe("a page", () => {
  test("has the security headers, with a new nonce each time", async ({ api }) => {
    const [first, second] = [await api("GET", "/sign-in"), await api("GET", "/sign-in")];
    expect(first.status).toBe(200);
    const policy = first.headers.get("Content-Security-Policy") ?? "";
    expect(policy).toMatch(/script-src 'self' 'nonce-[A-Za-z0-9+/]{22}==' 'strict-dynamic';/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe-eval");
    expect(policy).not.toBe(second.headers.get("Content-Security-Policy"));
    expect(first.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(first.headers.get("Referrer-Policy")).toBe("same-origin");
    expect(first.headers.get("X-Powered-By")).toBeNull();
  });
});

test.describe("npm start", () => {
  test("runs the server in its own process, so that signals reach it", async ({ server }) => {
    const output: string[] = [];
    const port = await freePort();
    const settings = {
      port,
      url: `http://127.0.0.1:${port}`,
      dataDir: server.dataDir,
      databaseUrl: `file:${path.join(server.dataDir, "start.db")}`,
    };
    const child = spawn(process.execPath, ["scripts/start.mjs"], {
      env: { NODE_ENV: "production", ...serverEnvironment({ ...settings, given: {} }) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => output.push(String(chunk)));
    const exited = exitCodeOf(child);
    await expect.poll(() => output.join(""), { timeout: 20_000 }).toContain(`Quittance is ready: ${settings.url}`);
    child.kill("SIGTERM");
    expect(await exited).toBe(0);
  });
});
