// How a program of ours ends: on SIGTERM or SIGINT it finishes what it has begun; asked twice it ends at once.
import type { Logger } from "pino";
import type { Runtime } from "./runtime";

/** What a process ends with after an error of the database's file: EX_IOERR of sysexits.h. */
export const storageFaultCode = 74;

/** The longest time between an error of the database's file and the end of the process. */
const faultStopMs = 10_000;

/**
 * Ends the process with {@link storageFaultCode} once the database's file can no longer be trusted. `stop` gets a few
 * seconds to answer what is running, which is refused as unavailable.
 */
export function stopOnFault({ log, fault }: Pick<Runtime, "log" | "fault">, stop: () => Promise<unknown>): void {
  void fault.then(async (error) => {
    log.fatal({ err: error }, "the database file cannot be read or written: the process ends, to be started again");
    setTimeout(() => process.exit(storageFaultCode), faultStopMs);
    await stop().catch((failure: unknown) => log.error({ err: failure }, "could not stop cleanly"));
    process.exit(storageFaultCode);
  });
}

/** Calls `stop` once on the first signal and ends the process with 0, or with 1 if that fails; a fault ends it too. */
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
