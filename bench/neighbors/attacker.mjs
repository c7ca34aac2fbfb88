// One attack, in a process of its own: starts it, says so, and goes on until it is ended; then it prints what it saw.
import { attacks } from "./attacks.mjs";

const { attack, given } = JSON.parse(process.argv[2]);

/** Answers by status, refused connections by code. */
const seen = {};
const note = (what) => {
  seen[what] = (seen[what] ?? 0) + 1;
};

process.once("SIGTERM", () => {
  process.stdout.write(JSON.stringify(seen), () => process.exit(0));
});
// An attack may wait without a socket of its own.
setInterval(() => {}, 60_000);
await attacks[attack](given, note);
process.send("under way");
