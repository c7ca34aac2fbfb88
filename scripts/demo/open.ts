// Puts the demo together: a runtime whose clock is the story's.
import { dayMs } from "@/server/kit/limits";
import type { Env } from "@/server/process/env";
import { openRuntime } from "@/server/process/runtime";
import { Business } from "./business";
import { Chance } from "./chance";
import { Story } from "./story";
import { Timeline } from "./timeline";

/** The same seed gives the same story. */
const seed = 7;

/** Opens the database of `env`. `fill` carries out the days of business before `end`, in epoch milliseconds. */
export async function openDemo(env: Env, { days, end }: { days: number; end: number }) {
  const timeline = new Timeline(Math.floor(end / dayMs) * dayMs - days * dayMs, end);
  const runtime = await openRuntime(env, timeline);
  return {
    runtime,
    async fill(): Promise<void> {
      const business = await Business.open(runtime, timeline);
      await new Story(business, timeline, new Chance(seed)).begin();
      await timeline.run(() => business.work());
    },
  };
}
