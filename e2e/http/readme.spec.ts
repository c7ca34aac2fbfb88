// The README's first payment works as written: the first time, again, after a declined card, and with a second account of its owner.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "playwright/test";
import { createApi, signIn } from "../api";
import { runProgram } from "../contract/people";
import { goodCard, payByForm } from "../payer";
import { startServer, type TestServer } from "../server";

const readme = readFileSync(path.resolve(import.meta.dirname, "../../README.md"), "utf8");
const section = /^## First payment.*?(?=^## )/ms.exec(readme)?.[0] ?? "";
const blocks = [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block);
const [, email = "", password = ""] = /ADMIN_EMAIL=(\S+) ADMIN_PASSWORD='([^']+)' npm start/.exec(readme) ?? [];
const declined = { ...goodCard, card_number: "4000000000000002" };

type Walked = { paymentId: string; accountId: string; token: string; printed: string };

/** Makes the key with the bundled program, on the server's database. */
async function keyOf(server: TestServer): Promise<string> {
  const [, options = ""] = /npm run -s cli -- (api-key create .*?)\)$/ms.exec(blocks.join("\n")) ?? [];
  const words = [...options.replaceAll("\\\n", " ").matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? "",
  );
  return (await runProgram(server, "server/cli.ts", words)).trim();
}

/** Runs the section's commands in `folder`, and pays with these cards in turn once the link is printed. */
async function walk(server: TestServer, folder: string, cards: (typeof goodCard)[]): Promise<Walked> {
  const { url } = server;
  const key = await keyOf(server);
  const commands = blocks
    .join("\n")
    .replace("BASE=http://localhost:3000\n", `BASE=${url}\n`)
    .replace(/^KEY=\$\(.*?\)$/ms, `KEY=${key}`);
  expect(commands).toContain(`BASE=${url}\n`);
  expect(commands).toContain(`KEY=${key}\n`);
  const shell = spawn("sh", ["-eu", "-c", `${commands}\necho "token: $KEY"`], { cwd: folder });
  let printed = "";
  let paying: Promise<unknown> = Promise.resolve("no link was printed");
  let isPaying = false;
  const note = (chunk: Buffer) => {
    printed += chunk;
    const [link] = /^http\S+\/pay\/\S+$/m.exec(printed) ?? [];
    if (isPaying || !link || !printed.includes(`${link}\n`)) return;
    isPaying = true;
    paying = payWith(link, cards).then(
      () => "paid",
      (error: unknown) => {
        // The commands wait until it is paid.
        shell.kill();
        return error;
      },
    );
  };
  shell.stdout.on("data", note);
  shell.stderr.on("data", note);
  const code = await new Promise((resolve) => shell.once("close", resolve).once("error", resolve));
  expect([code, await paying], printed).toEqual([0, "paid"]);
  const { payment_id, account_id } = JSON.parse(readFileSync(path.join(folder, "payment.json"), "utf8"));
  return { paymentId: payment_id, accountId: account_id, token: /token: (\S+)/.exec(printed)?.[1] ?? "", printed };
}

async function payWith(link: string, cards: (typeof goodCard)[]): Promise<void> {
  for (const card of cards) await payByForm(link, card);
}

test("the first payment, three times", async () => {
  const server = await startServer({ engine: "sqlite", env: { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } });
  const folder = mkdtempSync(path.join(tmpdir(), "quittance-readme-"));
  try {
    const api = createApi(server.url);
    const first = await walk(server, folder, [goodCard]);
    const second = await walk(server, folder, [declined, goodCard]);
    expect(second.printed).toContain('{"type":"payment","status":"failed","amount":1250}');
    const body = { account_type: "business", account_name: "Second", email };
    const { access_token: token } = await signIn(api, email, password);
    await api("POST", "/v1/accounts", { token, body });
    const third = await walk(server, folder, [goodCard]);
    expect(third.accountId).toBe(first.accountId);
    const walked = [first, second, third];
    expect(new Set(walked.map(({ paymentId }) => paymentId)).size).toBe(3);
    for (const { printed, paymentId, token } of walked) {
      expect(printed).toContain('{"type":"payment","status":"succeeded","amount":1250}');
      const { status } = (await api("GET", `/v1/payments/${paymentId}/status`, { token })).body;
      expect(status).toBe("paid");
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
