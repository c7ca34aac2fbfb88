// Opens the installation when Next itself is the host (next dev, next start), as server/main.ts does for our own server.

/** Called by Next once, before the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { isOwnServer } = await import("@/server/kit/lifecycle");
  if (isOwnServer()) return;
  const [{ bootstrap }, { runtime }, { explainStartupError }, { startTasks }] = await Promise.all([
    import("@/server/organizations/bootstrap"),
    import("@/server/kit/runtime"),
    import("@/server/kit/startup-error"),
    import("@/server/tasks"),
  ]);
  try {
    const opened = await runtime();
    const setupLink = await bootstrap(opened);
    if (opened.env.worker === "inside") startTasks(opened);
    if (setupLink !== null) console.log(`Set it up once, with this link: ${setupLink}`);
  } catch (error) {
    console.error(explainStartupError(error, null) ?? error);
  }
}
