// Fills a database made by the product: 100,000 transactions with tags and words, users who sign in, sessions.
// These transactions are not in the ledger. They only serve reads, and the product treats them like its own.
import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const day = 86_400_000;
const spacingMs = 300_000;
const accountCount = 50;
const userCount = 200;
const sessionCount = 1000;
const rowsPerInsert = 100;

/** Inserts rows of one shape in batches. */
async function insert(db, table, rows) {
  const [first] = rows;
  const columns = Object.keys(first);
  await db.write(async (tx) => {
    for (let from = 0; from < rows.length; from += rowsPerInsert) {
      const batch = rows.slice(from, from + rowsPerInsert);
      const row = `(${columns.map(() => "?").join(", ")})`;
      const text = `insert into ${table} (${columns.join(", ")}) values ${batch.map(() => row).join(", ")}`;
      await tx.run(text, ...batch.flatMap((each) => columns.map((column) => db.value(each[column]))));
    }
  });
}

/** Ends like an identifier of the product: every pair of characters is as likely, because totals are estimated from it. */
const idAt = (prefix, at, n) => {
  const pair = Math.imul(n, 0x9e3779b1) >>> 22;
  const end = crockford[pair >> 5] + crockford[pair & 31];
  return `${prefix}_${at.toString(16).padStart(12, "0")}${String(n).padStart(12, "0")}${end}`;
};

const crockford = "0123456789abcdefghjkmnpqrstvwxyz";

/** Fills the database and resolves to what the loads need: tokens, users, ids. */
export async function seed(db, transactionCount) {
  const now = Date.now();
  const admin = await db.read.get("select id, organization_id, password_hash from users limit 1");
  const organizationId = admin.organization_id;
  const accounts = Array.from({ length: accountCount }, (_, n) => accountOf(organizationId, n, now));
  await insert(db, "accounts", accounts);
  const users = Array.from({ length: userCount }, (_, n) => userOf(admin, n, now));
  await insert(db, "users", users);
  await insertTransactions(db, organizationId, accounts, transactionCount, now);
  const [accessToken] = await insertSessions(db, { organizationId, userId: admin.id, kind: "access", count: 1, now });
  const owner = { organizationId, userId: users[0].id };
  const refreshTokens = await insertSessions(db, { ...owner, kind: "refresh", count: sessionCount, now });
  const middle = Math.floor(transactionCount / 2);
  const { id: transactionId } = transactionOf(organizationId, accounts, middle, now, transactionCount);
  return { accessToken, refreshTokens, transactionId, emails: users.slice(1).map(({ email }) => email) };
}

const accountOf = (organizationId, n, now) => ({
  id: idAt("acct", now, n),
  organization_id: organizationId,
  owner_user_id: null,
  account_type: "individual",
  name: `Shop ${n}`,
  email: `shop${n}@example.com`,
  email_key: `shop${n}@example.com`,
  search_text: ` shop ${n} shop${n} example com`,
  preferences: "{}",
  metadata: "{}",
  status: "open",
  created_at: now,
  updated_at: now,
});

/** All users have the first admin's password. */
const userOf = (admin, n, now) => ({
  id: idAt("usr", now, n),
  organization_id: admin.organization_id,
  account_id: null,
  email: `user${n}@example.com`,
  email_key: `user${n}@example.com`,
  name: `User ${n}`,
  search_text: ` user ${n} user${n} example com`,
  password_hash: admin.password_hash,
  role: "admin",
  status: "active",
  created_at: now,
});

async function insertTransactions(db, organizationId, accounts, count, now) {
  const chunk = 10_000;
  for (let from = 0; from < count; from += chunk) {
    const numbers = Array.from({ length: Math.min(chunk, count - from) }, (_, n) => from + n);
    const rows = numbers.map((n) => transactionOf(organizationId, accounts, n, now, count));
    await insert(db, "transactions", rows);
    await insert(db, "transaction_tags", rows.flatMap(tagsOf));
    await insert(db, "transaction_words", rows.flatMap(wordsOf));
  }
}

/** Of twenty in a row: fourteen successful payments, two failed ones, and one or two of each other type. */
function transactionOf(organizationId, accounts, n, now, count) {
  const place = n % 20;
  const type = place < 16 ? "payment" : ["credit", "transfer", "adjustment", "credit"][place - 16];
  const status = place === 14 || place === 15 ? "failed" : "succeeded";
  const at = now - (count - n) * spacingMs;
  const amount = 100 + ((n * 7919) % 100_000);
  const [account, destination] = [accounts[n % accountCount], accounts[(n + 1) % accountCount]];
  return {
    id: idAt("txn", at, n),
    organization_id: organizationId,
    account_id: account.id,
    type,
    status,
    direction: type === "transfer" ? "out" : "in",
    amount,
    currency: n % 3 === 0 ? "USD" : "EUR",
    amount_captured: status === "succeeded" && type === "payment" ? amount : 0,
    destination_account_id: type === "transfer" ? destination.id : null,
    failure: status === "failed" ? '{"code":"card_declined","message":"The card was declined."}' : null,
    reason: type === "adjustment" ? "correction" : null,
    reference: n % 4 === 0 ? `INV-${n}` : null,
    description: `Order ${n} of March`,
    customer: JSON.stringify({
      name: "Ada Lovelace",
      email: `ada${n % 500}@example.com`,
      reference: null,
      metadata: {},
    }),
    customer_email_key: `ada${n % 500}@example.com`,
    metadata: JSON.stringify({ order: `A-${n % 1000}`, channel: n % 2 ? "web" : "shop" }),
    effective_at: at,
    livemode: false,
    settled_at: status === "succeeded" ? at : null,
    created_at: at,
    updated_at: at,
    changed_at: at,
  };
}

const tagsOf = ({ id, organization_id, metadata, created_at }) =>
  Object.entries(JSON.parse(metadata)).map(([key, value]) => ({
    transaction_id: id,
    organization_id,
    scope: "metadata",
    key,
    value,
    created_at,
  }));

function wordsOf({ id, organization_id, description, reference, customer }) {
  const { name, email } = JSON.parse(customer);
  const words = [description, reference ?? "", name, email]
    .join(" ")
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return [...new Set(words)].map((word) => ({ transaction_id: id, organization_id, word }));
}

/** Inserts sessions with one token each, and returns the tokens. */
async function insertSessions(db, { organizationId, userId, kind, count, now }) {
  const tokens = Array.from({ length: count }, () => mint(kind === "access" ? "at" : "rt"));
  const sessions = tokens.map((_, n) => ({
    id: idAt("ses", now, n + (kind === "access" ? sessionCount : 0)),
    user_id: userId,
    organization_id: organizationId,
    kind: "api",
    status: "active",
    created_at: now,
    authenticated_at: now,
    last_seen_at: now,
    absolute_until: now + 90 * day,
    nonce: randomBytes(32).toString("base64url"),
  }));
  await insert(db, "sessions", sessions);
  const rowOf = (token, n) => ({
    hash: createHash("sha256").update(token).digest("hex"),
    session_id: sessions[n].id,
    kind,
    generation: 0,
    exchange: 0,
    last4: token.slice(-4),
    issued_at: now,
    expires_at: now + day,
  });
  await insert(db, "session_tokens", tokens.map(rowOf));
  return tokens;
}

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A token in the product's format: `qt`, its kind, 43 random characters, a checksum of 6. */
function mint(kind) {
  const secret = Array.from(randomBytes(43), (byte) => alphabet[byte % 62]).join("");
  const unchecked = `qt${kind}_${secret}`;
  let digits = "";
  for (let rest = crc32(unchecked), n = 0; n < 6; n++, rest = Math.floor(rest / 62))
    digits = alphabet[rest % 62] + digits;
  return unchecked + digits;
}
