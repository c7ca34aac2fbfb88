// An error of a command that its user can fix.

/** The message is shown unchanged. */
export class CommandError extends Error {
  override name = "CommandError";
}
