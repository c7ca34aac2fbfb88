// How our processes end: the first SIGTERM or SIGINT lets running work finish, the second ends the process at once.
import type { Logger } from "pino";
import type { Runtime } from "./runtime";

/** The exit code after an error of the database file: EX_IOERR of sysexits.h. */
const storageFaultCode = 74;

/** Longest time from an error of the database file to the exit, in milliseconds. */
const faultStopMs = 10_000;

/**
 * Exits with {@link storageFaultCode} once the database file can no longer be trusted. `stop` gets a few seconds to
 * answer the requests in progress, which are refused as unavailable.
 */
export function stopOnFault({ log, fault }: Pick<Runtime, "log" | "fault">, stop: () => Promise<unknown>): void {
  void fault.then(async (error) => {
    log.fatal({ err: error }, "the database file cannot be read or written: the process exits and must be restarted");
    setTimeout(() => process.exit(storageFaultCode), faultStopMs);
    await stop().catch((failure: unknown) => log.error({ err: failure }, "could not stop cleanly"));
    process.exit(storageFaultCode);
  });
}

/** Calls `stop` once on the first signal, then exits with 0, or with 1 if it fails. A fault ends the process too. */
export function stopOnSignals(log: Logger, stop: (signal: NodeJS.Signals) => Promise<void>): void {
  let isStopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      // A second signal means: do not wait.
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
