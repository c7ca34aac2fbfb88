// A machine whose clock jumps: what has ended stays ended, open sessions stay open, and writes keep their order.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Api, createApi, signIn, type TokenPair } from "@/e2e/api";
import { type Engine, startServer, type TestServer } from "@/e2e/server";
import { openDashboard, signInByPage } from "./dashboard";
import { faultsOfDatabase } from "./database";
import type { Fault, Found } from "./fault";

/** Seconds by which the clock is off, relative to the true time. */
const jumps = [-3_600, 3_600, -86_400, 0, -60, 60, 7_200, -7_200];
const settleMs = 200;
const writeCount = 10;
const restartEvery = 8;
/** Short, so that some tokens expire before the clock jumps. The running session is refreshed in each round. */
const lifetimes = { ACCESS_TOKEN_TTL: "5s", REFRESH_TOKEN_TTL: "20s", DASHBOARD_SESSION_IDLE: "5s" };

const findLibrary = (): string | undefined => {
  const folders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib", "/usr/local/lib"];
  return folders.map((folder) => path.join(folder, "faketime/libfaketimeMT.so.1")).find((file) => existsSync(file));
};

export const clock: Fault = {
  name: "clock",
  title: "a clock that jumps by up to a day",
  engines: ["sqlite", "postgres"],
  rounds: 32,
  lacks: () => (findLibrary() ? null : "no libfaketime (Debian: apt-get install libfaketime)"),
  async run({ engine, found, rounds, random, signal }) {
    const folder = mkdtempSync(path.join(tmpdir(), "quittance-faults-"));
    const file = path.join(folder, "offset");
    const jump = (seconds: number) => writeFileSync(file, `${seconds < 0 ? "" : "+"}${seconds}\n`);
    jump(0);
    const server = await startServer({
      engine,
      env: {
        ...{ LD_PRELOAD: findLibrary() ?? "", FAKETIME_TIMESTAMP_FILE: file },
        ...{ FAKETIME_NO_CACHE: "1", DONT_FAKE_MONOTONIC: "1" },
        ...lifetimes,
      },
    });
    try {
      const sessions = new Sessions(server, createApi(server.url), found);
      await sessions.open(signal);
      for (const round of rounds) {
        const seconds = jumps[Math.floor(random() * jumps.length)] ?? 0;
        if (round % restartEvery === 0) {
          jump(atRestart(engine, seconds));
          await server.restart();
        }
        jump(seconds);
        await sleep(settleMs);
        await sessions.tryAll(`${seconds} s off`);
        found.note = `${server.logs().split("the clock was changed").length - 1} changes noticed`;
      }
      jump(0);
      found.wrong.push(...(await faultsOfDatabase(server.databaseUrl)));
    } finally {
      await server.stop();
      rmSync(folder, { recursive: true });
    }
  },
};

/** On SQLite a starting process has no other time than the machine's, and trusts it. */
const atRestart = (engine: Engine, seconds: number): number => (engine === "postgres" ? seconds : 0);

/** A session that runs, and tokens and cookies that must never be valid again. */
class Sessions {
  private running = "";
  private refreshToken = "";
  private readonly dead: { what: string; statusOf: () => Promise<number> }[] = [];
  private last = "";

  constructor(
    private readonly server: TestServer,
    private readonly api: Api,
    private readonly found: Found,
  ) {}

  /** Opens the sessions, ends one, and waits until another one and some tokens have expired. */
  async open(signal: AbortSignal): Promise<void> {
    const [ended, expired, running] = [await signIn(this.api), await signIn(this.api), await signIn(this.api)];
    const cookie = (await signInByPage(this.server)).cookie;
    const closing = await this.api("DELETE", "/v1/auth/session", { token: ended.access_token });
    if (closing.status !== 200) this.found.wrong.push(`ending a session: ${closing.status} ${closing.text}`);
    this.refreshToken = running.refresh_token;
    const until = Date.parse(expired.refresh_token_expires_at) + settleMs;
    for (; Date.now() < until; await sleep(1_000, undefined, { signal })) await this.refresh();
    const dead: [string, () => Promise<number>][] = [
      ["an ended session", () => this.read(ended.access_token)],
      ["an ended session's refresh token", () => this.exchange(ended.refresh_token)],
      ["an expired access token", () => this.read(running.access_token)],
      ["an expired refresh token", () => this.exchange(expired.refresh_token)],
      ["an expired dashboard session", () => openDashboard(this.server, cookie)],
    ];
    this.dead.push(...dead.map(([what, statusOf]) => ({ what, statusOf })));
    await this.tryAll("before the first jump");
  }

  /** Uses all of them. `when` says what the clock shows. */
  async tryAll(when: string): Promise<void> {
    for (const { what, statusOf } of this.dead) {
      const status = await statusOf();
      if (status < 300 || status > 499) this.found.wrong.push(`${when}, ${what} was answered ${status}`);
    }
    await this.refresh();
    for (let i = 0; i < writeCount; i++) await this.write();
  }

  /** A write of the running session. It must be answered, and must not be dated before an earlier one. */
  private async write(): Promise<void> {
    const body = { type: "payment", amount: 100, currency: "EUR" };
    const reply = await this.api<{ created_at: string }>("POST", "/v1/transactions", { token: this.running, body });
    if (reply.status !== 200) return void this.found.wrong.push(`${reply.status} ${reply.text}`);
    this.found.acknowledged++;
    const { created_at: at } = reply.body;
    if (at < this.last) this.found.wrong.push(`${at} came after ${this.last}`);
    this.last = at;
  }

  private async refresh(): Promise<void> {
    const token = this.refreshToken;
    const reply = await this.api<TokenPair>("POST", "/v1/auth/refresh", { token, body: {} });
    if (reply.status !== 200) return void this.found.wrong.push(`refreshing: ${reply.status} ${reply.text}`);
    this.running = reply.body.access_token;
    this.refreshToken = reply.body.refresh_token;
  }

  private read = async (token: string) => (await this.api("GET", "/v1/transactions", { token })).status;

  private exchange = async (token: string) => (await this.api("POST", "/v1/auth/refresh", { token, body: {} })).status;
}
