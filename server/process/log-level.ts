// The levels of the log, from least to most.
export const LogLevel = ["silent", "fatal", "error", "warn", "info", "debug", "trace"] as const;
export type LogLevel = (typeof LogLevel)[number];
