// Opens the installation when Next itself is the host (next dev, next start), as server/main.ts does for our own
// server.

/** Called by Next once, before the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { isOwnServer } = await import("@/server/process/lifecycle");
  if (isOwnServer()) return;
  const [
    { DatabaseInUse, lockDatabase },
    { MigrationBlocked },
    { parseEnv },
    { bootstrap },
    { runtime },
    { explainStartupError },
    { stopOnFault },
    tasks,
  ] = await Promise.all([
    import("@/db/process-lock"),
    import("@/db/migration-files"),
    import("@/server/process/env"),
    import("@/server/domains/onboarding/bootstrap"),
    import("@/server/process/runtime"),
    import("@/server/process/startup-error"),
    import("@/server/process/stopping"),
    import("@/server/background/tasks"),
  ]);
  try {
    await lockDatabase(parseEnv(process.env).databaseUrl, console.log);
    const opened = await runtime();
    stopOnFault(opened, opened.close);
    const setupLink = await bootstrap(opened);
    tasks.startTasks(opened, { isWorker: opened.env.worker === "inside" });
    if (setupLink !== null) console.log(`Open this link once to set it up: ${setupLink}`);
  } catch (error) {
    console.error(explainStartupError(error, null) ?? error);
    // After any other error Next keeps serving, so that it can be corrected. Two apps must never use one file.
    if (error instanceof DatabaseInUse || error instanceof MigrationBlocked) throw error;
  }
}
