// A machine whose clock jumps: ended sessions stay ended, open ones stay open, and the ledger keeps its order.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Api, createApi, signIn } from "@/e2e/api";
import { startServer } from "@/e2e/server";
import { faultsOfDatabase } from "./database";
import { type Fault, type Found, nothingFound } from "./fault";

/** Seconds by which the clock is off, relative to the true time. */
const jumps = [-3_600, 3_600, -86_400, 0, -60, 60, 7_200, -7_200];
const settleMs = 200;
const writes = 10;

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
  async run({ engine, rounds, random, say }) {
    const found = nothingFound();
    const folder = mkdtempSync(path.join(tmpdir(), "quittance-faults-"));
    const file = path.join(folder, "offset");
    const jump = (seconds: number) => writeFileSync(file, `${seconds < 0 ? "" : "+"}${seconds}\n`);
    jump(0);
    const server = await startServer({
      engine,
      env: {
        ...{ LD_PRELOAD: findLibrary() ?? "", FAKETIME_TIMESTAMP_FILE: file },
        ...{ FAKETIME_NO_CACHE: "1", DONT_FAKE_MONOTONIC: "1" },
        // Longer than all jumps together, so that no session ends by its age.
        ...{ ACCESS_TOKEN_TTL: "30d", REFRESH_TOKEN_TTL: "60d" },
      },
    });
    try {
      const api = createApi(server.url);
      const [running, ended] = [await signIn(api), await signIn(api)];
      const closing = await api("DELETE", "/v1/auth/session", { token: ended.access_token });
      if (closing.status !== 200) found.wrong.push(`ending a session: ${closing.status} ${closing.text}`);
      let last = "";
      for (let round = 1; round <= rounds; round++) {
        const seconds = jumps[Math.floor(random() * jumps.length)] ?? 0;
        jump(seconds);
        await sleep(settleMs);
        last = await writeInOrder(found, api, running.access_token, last);
        for (const token of [ended.access_token, ended.refresh_token]) {
          const { status } = await api("GET", "/v1/transactions", { token });
          if (status !== 401) found.wrong.push(`after ${seconds} s an ended session was answered ${status}`);
        }
        found.rounds = round;
      }
      jump(0);
      found.wrong.push(...(await faultsOfDatabase(server.databaseUrl)));
      const warnings = server.logs().split("the clock was changed").length - 1;
      found.note = `the server noticed ${warnings} changes`;
      say(found.note);
      return found;
    } finally {
      await server.stop();
      rmSync(folder, { recursive: true });
    }
  },
};

/** Writes one after the other. Each must be answered, and none may be dated before an earlier one. */
async function writeInOrder(found: Found, api: Api, token: string, earlier: string): Promise<string> {
  let last = earlier;
  for (let i = 0; i < writes; i++) {
    const body = { type: "payment", amount: 100, currency: "EUR" };
    const reply = await api<{ created_at: string }>("POST", "/v1/transactions", { token, body });
    if (reply.status !== 200) {
      found.wrong.push(`${reply.status} ${reply.text}`);
      continue;
    }
    found.acknowledged++;
    if (reply.body.created_at < last) found.wrong.push(`${reply.body.created_at} came after ${last}`);
    last = reply.body.created_at;
  }
  return last;
}
