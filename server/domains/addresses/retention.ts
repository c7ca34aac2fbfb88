// Removes links about e-mail addresses: old ones, and those of a removed user.
import { limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { removeExpiredLinks } from "./store";

/** Removes up to `limit` links that expired long enough ago; returns how many. */
export const removeOldEmailLinks = ({ clock, db }: Runtime, limit: number): Promise<number> =>
  db.write((tx) => removeExpiredLinks(tx, clock.now() - limits.kept.linkMs, limit));
