// An error of the command line that its user can do something about.

/** Its message is shown as it is. */
export class CommandError extends Error {
  override name = "CommandError";
}
