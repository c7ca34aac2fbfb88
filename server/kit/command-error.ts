// What the command line tells the person who gave a command that cannot be carried out.

/** Its message is shown as it is. */
export class CommandError extends Error {
  override name = "CommandError";
}
