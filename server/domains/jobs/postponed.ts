/** Thrown by a handler whose job may not run yet: it is returned and runs again soon, without having failed. */
export class Postponed extends Error {
  override readonly name = "Postponed";
}
