// One attack in its own process: starts it, reports that, runs until it is ended, then prints what it saw.
import { attacks } from "./attacks.mjs";

const { attack, given } = JSON.parse(process.argv[2]);

/** Answers by status, refused connections by error code. */
const seen = {};
const note = (what) => {
  seen[what] = (seen[what] ?? 0) + 1;
};

process.once("SIGTERM", () => {
  process.stdout.write(JSON.stringify(seen), () => process.exit(0));
});
// An attack may wait without an open socket.
setInterval(() => {}, 60_000);
await attacks[attack](given, note);
process.send("under way");
