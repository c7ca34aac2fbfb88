// Who reads and writes which table: one domain owns it, one of its stores writes it, and the domains above may read it.
import ts from "typescript";
import { faultOfDirection } from "./order";
import { lineOf, type Source } from "./source";

/** Where each table's columns are known and its rows written. A new table needs its owner here. */
const owners: Readonly<Record<string, string>> = {
  throttles: "db",
  auditEntries: "server/domains/records",
  auditChanges: "server/domains/records",
  auditSeals: "server/domains/records",
  auditSealEntries: "server/domains/records",
  events: "server/domains/records",
  jobs: "server/domains/jobs",
  organizations: "server/domains/organizations",
  sandboxClocks: "server/domains/organizations",
  nonces: "server/domains/organizations",
  mails: "server/domains/mails",
  ledgerAccounts: "server/domains/ledger",
  journals: "server/domains/ledger",
  postings: "server/domains/ledger",
  ledgerCheckpoints: "server/domains/ledger",
  ledgerCheckpointHeads: "server/domains/ledger",
  sandboxOperations: "server/domains/providers",
  users: "server/domains/users",
  accounts: "server/domains/accounts",
  accountLogos: "server/domains/accounts",
  numberingClaims: "server/domains/accounts",
  invoicePrefixes: "server/domains/accounts",
  apiKeys: "server/domains/api-keys",
  sessions: "server/domains/sessions",
  sessionTokens: "server/domains/sessions",
  stepUpSums: "server/domains/sessions",
  knownDevices: "server/domains/sessions",
  passwordResets: "server/domains/sessions",
  emailLinks: "server/domains/addresses",
  totpFactors: "server/domains/factors",
  recoveryCodes: "server/domains/factors",
  passkeys: "server/domains/factors",
  passkeyChallenges: "server/domains/factors",
  invitations: "server/domains/invitations",
  transactions: "server/domains/transactions",
  transactionTags: "server/domains/transactions",
  transactionWords: "server/domains/transactions",
  customers: "server/domains/customers",
  customerWords: "server/domains/customers",
  customerCredits: "server/domains/customers",
  customerCreditUses: "server/domains/customers",
  payments: "server/domains/payments",
  paymentWords: "server/domains/payments",
  paymentReminders: "server/domains/payments",
  invoiceSeries: "server/domains/payments",
  invoices: "server/domains/payments",
  creditNoteSeries: "server/domains/payments",
  creditNotes: "server/domains/payments",
  creditNoteVoids: "server/domains/payments",
  storedMethods: "server/domains/payments",
  subscriptions: "server/domains/subscriptions",
  subscriptionCycles: "server/domains/subscriptions",
  cardLinks: "server/domains/subscriptions",
  savedViews: "server/domains/views",
  idempotencyKeys: "server/pipeline",
};

/** Folders whose statements name tables in text, with the reason. Everywhere else, tables are imported. */
const namingInText: Readonly<Record<string, string>> = {
  "server/domains/ledger/verify": "a proof shares no code with what it proves, and reads tables of later domains",
};

const tablesModule = "db/tables";
/** Definitions of tables, as opposed to the plain values of columns. */
const definitions = /^db\/schema\/(?!(invoice-|line-)?values$)/;
const writeMethods = ["insert", "update", "delete"];
/** What precedes the table in a statement that writes. */
const writeInText = /\b(insert\s+into|update|delete\s+from|truncate)\s+(only\s+)?"?$/i;
const writtenInText = /\b(?:insert\s+into|delete\s+from|truncate)\s+["\\]*(\w+)|\bupdate\s+["\\]*(\w+)["\\]*\s+set\b/gi;
const readInText = /\b(?:from|join)\s+["\\]*(\w+)/gi;
const inDatabase = new Set(
  Object.keys(owners).map((table) => table.replace(/[A-Z]/g, (one) => `_${one.toLowerCase()}`)),
);

/** A store that writes a table. */
interface Write {
  table: string;
  file: string;
  line: number;
}

/** The faults of all files together. Tests may use any table. */
export function faultsOfSql(sources: readonly Source[]): string[] {
  const product = sources.filter(({ file }) => /^(db|server|app)\//.test(file) && !/\.test\.tsx?$/.test(file));
  return [
    ...sources.filter(({ file }) => file === `${tablesModule}.ts`).flatMap(faultsOfOwners),
    ...product.flatMap(faultsOfReads),
    ...product.flatMap(faultsOfText),
    ...faultsOfWrites(product.flatMap(writesOf)),
  ];
}

/** Every table has an owner, and every owner a table. */
function faultsOfOwners({ file, tree }: Source): string[] {
  const named = tree.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .flatMap(({ name }) => (ts.isObjectBindingPattern(name) ? name.elements.map((one) => one.name.getText()) : []));
  return [
    ...named
      .filter((table) => !(table in owners))
      .map(
        (table) => `${file} has the table ${table}, which no one owns; give it an owner in scripts/structure/sql.ts`,
      ),
    ...Object.keys(owners)
      .filter((table) => !named.includes(table))
      .map((table) => `scripts/structure/sql.ts names the table ${table}, which ${file} does not have`),
  ];
}

/** A file that imports a table may read it and lock its rows, because a lock changes nothing in them. */
function faultsOfReads({ file, imports }: Source): string[] {
  const used = imports
    .filter(({ target }) => target === tablesModule)
    .flatMap(({ form, names, line }) => [
      ...(form === "names" ? [] : [{ table: "*", line }]),
      ...names.map(({ imported }) => ({ table: imported, line })),
    ])
    .flatMap(({ table, line }) => {
      const owner = owners[table];
      const fault = owner === undefined ? "name each table that is used" : faultOfDirection(file, owner);
      return fault === null ? [] : [`${file}:${line} uses ${table}: ${fault}`];
    });
  const defining = imports
    .filter(({ target }) => definitions.test(target) && !file.startsWith("db/"))
    .map(({ target, line }) => `${file}:${line} imports ${target}: take tables from ${tablesModule}`);
  return [...used, ...defining];
}

/** Statements that name a table in text escape the other rules. */
function faultsOfText({ file, tree }: Source): string[] {
  if (Object.keys(namingInText).some((folder) => file.startsWith(`${folder}/`))) return [];
  const faults: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      const text = node.getText(tree);
      const reads = /\bselect\b/i.test(text) ? [...text.matchAll(readInText)] : [];
      const named = [...text.matchAll(writtenInText), ...reads].flatMap(([, ...names]) => names.filter(Boolean));
      const table = named.find((name) => inDatabase.has(name.toLowerCase()));
      if (table) faults.push(`${file}:${lineOf(tree, node)} names ${table} in text; import it from ${tablesModule}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return faults;
}

function faultsOfWrites(writes: readonly Write[]): string[] {
  const foreign = writes
    .filter(({ table, file }) => !file.startsWith(`${owners[table]}/`))
    .map(({ table, file, line }) => `${file}:${line} writes ${table}: only ${owners[table]} does`);
  const second = Object.keys(owners).flatMap((table) => {
    const files = new Set(writes.filter((write) => write.table === table).map(({ file }) => file));
    return files.size > 1 ? [`${[...files].join(" and ")} write ${table}: only one store may`] : [];
  });
  return [...foreign, ...second];
}

/** Each `.insert(t)`, `.update(t)`, `.delete(t)` and sql`update ${t} …` of a table that the file imports. */
function writesOf({ file, tree, imports }: Source): Write[] {
  const tables = new Map(
    imports
      .filter(({ target }) => target === tablesModule)
      .flatMap(({ names }) => names.map(({ imported, local }) => [local, imported] as const)),
  );
  const found: Write[] = [];
  const visit = (node: ts.Node): void => {
    for (const written of writtenBy(node)) {
      const table = ts.isIdentifier(written) ? tables.get(written.text) : undefined;
      if (table) found.push({ table, file, line: lineOf(tree, node) });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** What a call or a template names as the table to write. */
function writtenBy(node: ts.Node): ts.Expression[] {
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    return writeMethods.includes(node.expression.name.text) ? node.arguments.slice(0, 1) : [];
  }
  if (!ts.isTemplateExpression(node)) return [];
  const before = [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text);
  return node.templateSpans.map(({ expression }) => expression).filter((_, i) => writeInText.test(before[i] ?? ""));
}
