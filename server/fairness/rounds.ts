// Rounds: one piece of work at a time in this process, and every caller's next piece in turn.

/** Makes a caller's many pieces wait for one another, and not those of others for all of them. */
export class Rounds {
  private isRunning = false;
  /** The callers that wait, the one whose turn is next first. */
  private readonly waiting = new Map<string, (() => void)[]>();

  /**
   * Takes the turn of a caller. Returns null if nothing runs, else a promise to await. Each turn taken must be given back
   * by {@link release}, also after a failure.
   */
  take(caller: string): Promise<void> | null {
    if (!this.isRunning) {
      this.isRunning = true;
      return null;
    }
    return new Promise((resume) => this.waiting.set(caller, [...(this.waiting.get(caller) ?? []), resume]));
  }

  /** Gives the turn of a caller to the next one that waits; to the same one only if nobody else does. */
  release(caller: string): void {
    this.putLast(caller);
    const [next] = this.waiting;
    if (!next) {
      this.isRunning = false;
      return;
    }
    const [name, [resume, ...rest]] = next;
    if (rest.length > 0) this.waiting.set(name, rest);
    else this.waiting.delete(name);
    resume?.();
  }

  private putLast(caller: string): void {
    const own = this.waiting.get(caller);
    if (!own) return;
    this.waiting.delete(caller);
    this.waiting.set(caller, own);
  }
}
