// Drops the bodies of old mails. The rows stay: whom a mail went to, when and what about.
import { limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { emptyMails } from "./store";

/** Empties up to `limit` mails whose bodies are past their retention; returns how many. */
export const dropOldBodies = ({ clock, db }: Runtime, limit: number): Promise<number> =>
  db.write((tx) => emptyMails(tx, clock.now() - limits.kept.mailBodyMs, limit));
