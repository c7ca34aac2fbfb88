// Keeps SQLite from compiling a statement anew each time it runs.

const comparisons = /(<>|<=|>=|=|<|>|\blimit|\boffset) \?/g;
const lists = /\bin \((?:\?, )*\?\)/g;

/**
 * The statement with each parameter that is compared written as an expression: `= +?` for `= ?`. SQLite looks at the
 * value of a bare parameter while it plans a join, a limit or a partial index. It then compiles the statement again for
 * each run, because another value might want another plan (SQLITE_STMTSTATUS_REPREPARE counts this), and the driver clears
 * all values after a run. No plan of ours depends on a value: where one should, the statement has a literal. A plus sign
 * changes neither a value nor its type.
 */
export const withSteadyPlan = (sql: string): string =>
  sql.replace(comparisons, "$1 +?").replace(lists, (list) => list.replaceAll("?", "+?"));
