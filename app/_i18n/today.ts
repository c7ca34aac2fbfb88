// The viewer's day, by the organization's clock: today(await viewer())
import { dayOf } from "@/server/kit/day-bounds";
import type { Viewer } from "./viewer";

export const today = ({ timeZone, aheadMs }: Pick<Viewer, "timeZone" | "aheadMs">): string =>
  dayOf(new Date(Date.now() + aheadMs).toISOString(), timeZone);
