// How a program of ours ends: on SIGTERM or SIGINT it finishes what it has begun; asked twice it ends at once.
import type { Logger } from "pino";

/** Calls `stop` once on the first signal and ends the process with 0, or with 1 if that fails; a fault ends it too. */
export function stopOnSignals(log: Logger, stop: (signal: NodeJS.Signals) => Promise<void>): void {
  let isStopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      // Whoever asks twice does not want to wait.
      if (isStopping) process.exit(1);
      isStopping = true;
      stop(signal).then(
        () => process.exit(0),
        (error: unknown) => {
          log.fatal({ err: error }, "could not stop cleanly");
          process.exit(1);
        },
      );
    });
  }
  process.on("unhandledRejection", (error) => log.error({ err: error }, "unhandled rejection"));
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "uncaught exception");
    process.exit(1);
  });
}
