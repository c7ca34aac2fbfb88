// A reporter for Vitest that writes counts and failures to the file given with --outputFile. Vitest's JSON reporter
// would write every test.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

export default class ResultsReporter {
  onInit({ config }) {
    this.file = config.outputFile;
  }

  onTestRunEnd(modules) {
    const results = { passed: 0, failed: 0, skipped: 0, failures: [] };
    for (const module of modules) count(module, results);
    mkdirSync(dirname(this.file), { recursive: true });
    writeFileSync(this.file, JSON.stringify(results));
  }
}

function count(module, results) {
  const fail = (name, errors) => {
    results.failed++;
    results.failures.push({
      title: `${module.project.name} ${module.relativeModuleId} > ${name}`,
      reason: reasonOf(errors),
    });
  };
  // A file that could not be loaded has no tests, and a hook may fail beside tests that pass.
  const outside = [module, ...module.children.allSuites()].flatMap((entity) => entity.errors());
  if (outside.length > 0) fail("outside of its tests", outside);
  for (const test of module.children.allTests()) {
    const { state, errors } = test.result();
    if (state === "passed") results.passed++;
    else if (state === "failed") fail(test.fullName, errors);
    else results.skipped++;
  }
}

const reasonOf = ([error]) => String(error?.message ?? "no reason");
