// States that no client can cause, written into a running server's database: surpluses, failed jobs, old sign-ins.
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { newId } from "../server/kit/ids";
import type { TestServer } from "./server";

/** Makes every dashboard session too old to count as a fresh sign-in. */
export function makeStale(server: TestServer): void {
  withDatabase(server, (database) =>
    database.prepare("update sessions set authenticated_at = authenticated_at - 600001 where kind = 'cookie'").run(),
  );
}

/** Requires a second factor of all users of the organization, even if no admin has one. */
export function requireFactors(server: TestServer, organizationId: string): void {
  withDatabase(server, (database) =>
    database.prepare("update organizations set require_mfa = 'everyone' where id = ?").run(organizationId),
  );
}

/** Uses up recovery codes of the user until `left` remain. */
export function leaveCodes(server: TestServer, email: string, left: number): void {
  withDatabase(server, (database) =>
    database
      .prepare(
        "delete from recovery_codes where hash in (select c.hash from recovery_codes c " +
          "join users u on u.id = c.user_id where u.email = ? order by c.hash limit -1 offset ?)",
      )
      .run(email, left),
  );
}

/** Lowers the amount of a paid payment request, since no correct provider charges twice. `surplus` in minor units. */
export function overpay(server: TestServer, paymentId: string, surplus: number): void {
  withDatabase(server, (database) =>
    database
      .prepare("update payments set amount = amount - ?, amount_overpaid = ?, version = version + 1 where id = ?")
      .run(surplus, surplus, paymentId),
  );
}

/** Flags what a payment request was paid as having arrived after its end. */
export function arriveLate(server: TestServer, paymentId: string): void {
  withDatabase(server, (database) => {
    database.prepare("update transactions set late_at = settled_at where payment_id = ?").run(paymentId);
    database.prepare("update payments set paid_late_at = paid_at, version = version + 1 where id = ?").run(paymentId);
  });
}

/** Notes a dispute of the whole payment that could not be booked: the sandbox disputes a payment only once. */
export function reportDispute(server: TestServer, paymentId: string): void {
  withDatabase(server, (database) =>
    database
      .prepare(
        "update transactions set unexpected_dispute_at = created_at, unexpected_dispute = " +
          "json_object('status', 'open', 'amount', amount, 'currency', currency, 'reference', 'second') where payment_id = ?",
      )
      .run(paymentId),
  );
}

/** Makes the transaction unreadable, and every list with it; returns what repairs it. */
export function breakTransaction(server: TestServer, id: string): () => void {
  const change = (metadata: string) =>
    withDatabase(server, (database) =>
      database.prepare(`update transactions set metadata = ${metadata} where id = ?`).run(id),
    );
  change("'{' || metadata");
  return () => change("substr(metadata, 2)");
}

/** Adds dead jobs about a payment request to its organization. */
export function failJobs(server: TestServer, paymentId: string, count: number): void {
  withDatabase(server, (database) => {
    const job = database.prepare(
      "insert into jobs (id, kind, key, organization_id, object_id, status, run_at, failures, last_error, created_at, updated_at) " +
        "select ?, 'payments.lookup', ?, organization_id, id, 'dead', ?, 8, 'The provider did not answer.', ?, ? " +
        "from payments where id = ?",
    );
    const at = Date.now();
    for (let number = 0; number < count; number++) {
      const id = newId("job", at);
      job.run(id, `test:${id}`, at, at, at, paymentId);
    }
  });
}

/** Removes all dead jobs, as another admin's retry would. */
export function removeDeadJobs(server: TestServer): void {
  withDatabase(server, (database) => database.prepare("delete from jobs where status = 'dead'").run());
}

function withDatabase({ databaseUrl }: TestServer, write: (database: Database.Database) => void): void {
  const database = new Database(fileURLToPath(databaseUrl));
  try {
    write(database);
  } finally {
    database.close();
  }
}
