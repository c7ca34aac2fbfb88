// The production entry: one node:http server. /v1 and hosted pages go to their handlers, everything else to Next.
import "@/server/process/supported-node";
import { Server } from "node:http";
import next from "next";
import { lockDatabase } from "@/db/process-lock";
import { expectOwnKey } from "@/server/background/own-key";
import { startTasks } from "@/server/background/tasks";
import { bootstrap } from "@/server/domains/onboarding/bootstrap";
import { sessionCookieName } from "@/server/domains/sessions/cookie";
import { answerHosted } from "@/server/hosted/serve";
import { credentialOf } from "@/server/http/credential-of";
import { drain } from "@/server/http/draining";
import { logListening } from "@/server/http/log-listening";
import { MetricsPage } from "@/server/http/metrics";
import { listenerOf } from "@/server/http/node-http";
import { answer } from "@/server/http/rest";
import { createHttpServer, listen } from "@/server/http/server";
import { operationIds } from "@/server/pipeline/operations";
import { type Env, parseEnv } from "@/server/process/env";
import { declareOwnServer } from "@/server/process/lifecycle";
import { captureConsole, createLogger } from "@/server/process/log";
import { runtime } from "@/server/process/runtime";
import { isBesideData } from "@/server/process/server-key";
import { explainStartupError } from "@/server/process/startup-error";
import { stopOnFault, stopOnSignals } from "@/server/process/stopping";

/** A little less than the 30 s that Kubernetes waits before SIGKILL by default. */
const drainTimeoutMs = 25_000;
/** After an error of the database file every answer would be a refusal, so the wait is short. */
const faultDrainTimeoutMs = 2_000;

async function start(env: Env): Promise<void> {
  // Next would load .env files itself here, but the configuration has already been parsed.
  process.env.__NEXT_PROCESSED_ENV = "true";
  declareOwnServer();
  await lockDatabase(env.databaseUrl, (sentence) => createLogger(env).info(sentence));
  // Next gets a server that never listens, because Next drops every request with an Upgrade header, by which some
  // clients offer HTTP/2 on their first call. Our own server ignores that header, so they get an answer in HTTP/1.1.
  const httpServer = new Server();
  const app = next({ dev: false, dir: process.cwd(), hostname: env.host, port: env.port, httpServer });
  const [opened] = await Promise.all([runtime(), app.prepare()]);
  const { log, close } = opened;
  captureConsole(log);
  await expectOwnKey(opened);
  opened.metrics.followProcess();
  const setupLink = await bootstrap(opened);
  const stopTasks = startTasks(opened, { isWorker: env.worker === "inside" });
  const server = createHttpServer({
    rest: listenerOf(answer),
    hosted: listenerOf(answerHosted),
    pages: app.getRequestHandler(),
    isHttps: env.appUrl.startsWith("https:"),
    trustedProxies: env.trustedProxies,
    requestsPerAddress: env.connectionsPerAddress,
    rate: opened.rate,
    credentialOf: credentialOf(sessionCookieName(env)),
    metrics: new MetricsPage(opened, operationIds),
    log,
  });
  const stop = async (drainMs: number) => {
    const result = await drain(server, drainMs);
    await app.close();
    await stopTasks();
    await close();
    return result;
  };
  // Registered before the first request, so that the process never ends in the middle of a response.
  stopOnSignals(log, async (signal) => {
    log.info({ signal }, "stopping: running requests finish first");
    const result = await stop(drainTimeoutMs);
    log.info({ requests: result }, "stopped");
  });
  stopOnFault(opened, () => stop(faultDrainTimeoutMs));

  await listen(server, env.port, env.host);
  await logListening(opened);
  if (isBesideData(env)) {
    log.warn("the server key is in the database's folder: keep their backups apart, or set SECRET_KEY");
  }
  console.log(`\nQuittance is ready: ${env.appUrl}\n`);
  if (setupLink !== null) console.log(`Open this link once to set it up: ${setupLink}\n`);
}

async function main(): Promise<void> {
  let env: Env | null = null;
  try {
    env = parseEnv(process.env);
    await start(env);
  } catch (error) {
    const reason = explainStartupError(error, env);
    console.error(reason === null ? error : `\n${reason}\n`);
    process.exit(1);
  }
}

await main();
