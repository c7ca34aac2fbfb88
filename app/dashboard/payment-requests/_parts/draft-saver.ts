// Saves what is typed into the form of a draft: soon after each change, one call at a time, again after a failure.
import { type Content, changesOf } from "./request-values";

/** How long after the last change it is saved, and how long after a failure it is tried again, in milliseconds. */
export const pauseMs = 800;
export const retryMs = 5_000;

/** `invalid`: a field cannot be saved as it is. `failed` is tried again; `refused` waits for another change. */
export type Saving = "saved" | "waiting" | "saving" | "invalid" | "failed" | "refused";

interface Calls {
  /** What the form has now; null while a field cannot be saved. */
  read(): Content | null;
  send(changes: Content): Promise<unknown>;
  /** Whether the same call may succeed later. */
  mayPass(error: unknown): boolean;
  show(saving: Saving, error: unknown): void;
}

/** Sends only what has changed here, so that it overwrites nothing that somebody else has changed meanwhile. */
export class DraftSaver {
  private running: Promise<void> | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private saved: Content,
    private readonly calls: Calls,
  ) {}

  /** What is not saved yet; null while a field cannot be saved. */
  private unsaved(): Content | null {
    const content = this.calls.read();
    return content && changesOf(this.saved, content);
  }

  hasUnsaved(): boolean {
    const changes = this.unsaved();
    return changes === null || Object.keys(changes).length > 0;
  }

  /** Something was typed. */
  changed(): void {
    if (!this.hasUnsaved()) return;
    if (this.running === null) this.calls.show("waiting", null);
    this.plan(pauseMs);
  }

  /** Rejects if the call fails. What a field has that cannot be saved stays unsaved. */
  save(): Promise<void> {
    this.close();
    this.running ??= this.send().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  /** Saves all of it at once; `failed` and `refused` say if that did not work. */
  flush(): void {
    if (this.hasUnsaved()) void this.save().catch(() => {});
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private plan(ms: number): void {
    this.close();
    this.timer = setTimeout(() => this.flush(), ms);
  }

  private async send(): Promise<void> {
    for (let changes = this.unsaved(); changes && Object.keys(changes).length > 0; changes = this.unsaved()) {
      const content = this.calls.read() ?? this.saved;
      this.calls.show("saving", null);
      try {
        await this.calls.send(changes);
        this.saved = content;
      } catch (error) {
        const isTriedAgain = this.calls.mayPass(error);
        // What was typed meanwhile may be what the server wants: a refusal of the old text says nothing about it.
        if (!isTriedAgain && this.isOtherThan(content)) continue;
        this.calls.show(isTriedAgain ? "failed" : "refused", error);
        if (isTriedAgain) this.plan(retryMs);
        throw error;
      }
    }
    this.calls.show(this.hasUnsaved() ? "invalid" : "saved", null);
  }

  /** Whether something that can be saved was typed after this content was read. */
  private isOtherThan(content: Content): boolean {
    const now = this.calls.read();
    return now !== null && Object.keys(changesOf(content, now)).length > 0;
  }
}
