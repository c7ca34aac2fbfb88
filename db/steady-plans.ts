// Keeps SQLite from compiling a statement anew each time it runs.

const comparisons = /(<>|<=|>=|=|<|>|\blimit|\boffset) \?/g;
const lists = /\bin \((?:\?, )*\?\)/g;

/**
 * The statement with each parameter that is compared written as an expression: `= +?` for `= ?`. SQLite looks at the
 * value of a bare parameter while it plans a join, a limit or a partial index, and then compiles the statement again for
 * each run, because another value might want another plan (sqlite3_reprepare, "Recompile On Parameter Change" in the
 * documentation of SQLITE_DBCONFIG_ENABLE_QPSG). A plan of ours never depends on a value: where one should, the statement
 * has a literal. A plus sign changes neither a value nor its type.
 */
export const withSteadyPlan = (sql: string): string =>
  sql.replace(comparisons, "$1 +?").replace(lists, (list) => list.replaceAll("?", "+?"));
