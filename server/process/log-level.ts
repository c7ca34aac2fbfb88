// The log levels, from least to most verbose.
export const LogLevel = ["silent", "fatal", "error", "warn", "info", "debug", "trace"] as const;
export type LogLevel = (typeof LogLevel)[number];
