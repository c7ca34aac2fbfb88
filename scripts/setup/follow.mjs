// Loaded before a program that scripts/launch.mjs runs on another Node: ends the program when the launcher is gone.
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
// The channel alone does not keep the program running.
process.channel?.unref();
// What the program forks does not load this file: it would end early, because its channel is what it waits for.
const at = process.execArgv.indexOf(import.meta.url);
if (at > 0) process.execArgv.splice(at - 1, 2);
