// The line of the log that says where the server listens, and who may sign up.
import { signUpAtStart } from "@/server/domains/onboarding/sign-up";
import type { Env } from "@/server/process/env";
import type { Runtime } from "@/server/process/runtime";

/** Logs that the server listens: at which address, on which engine, and who may sign up. */
export async function logListening({ db, env, log }: Pick<Runtime, "db" | "env" | "log">): Promise<void> {
  const signUp = await signUpAtStart({ db, env });
  log.info({ port: env.port, host: env.host, url: env.appUrl, engine: engineOf(env), signUp }, "listening");
}

const engineOf = ({ databaseUrl }: Env) => (databaseUrl.startsWith("file:") ? "sqlite" : "postgres");
