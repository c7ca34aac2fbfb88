// The soak's only report: what all workers did, and errors that kept a worker from running at all.
import type { Reporter } from "vitest/node";
import { type Part, summaryOf } from "./tally";

declare module "vitest" {
  interface TaskMeta {
    /** What a worker of the soak did. */
    soak?: Part[];
  }
}

export default class Summary implements Reporter {
  onTestRunEnd(...[modules, errors]: Parameters<NonNullable<Reporter["onTestRunEnd"]>>): void {
    const failed = modules.flatMap((module) => module.errors());
    for (const { stack, message } of [...errors, ...failed]) console.error(stack ?? message);
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    for (const line of summaryOf(tests.flatMap((test) => test.meta().soak ?? []))) console.log(line);
  }
}
