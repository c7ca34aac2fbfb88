// Loaded before a program that scripts/launch.mjs runs on another Node: ends the program when the launcher is gone.
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
// The channel alone does not keep the program running.
process.channel?.unref();
