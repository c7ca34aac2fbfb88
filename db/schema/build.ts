// All tables of the product, in either dialect.
import type { Columns } from "../columns";
import { creditTables } from "./credits";
import { customerTables } from "./customers";
import { factorTables } from "./factors";
import { identityTables } from "./identity";
import { invitationTables } from "./invitations";
import { invoiceTables } from "./invoices";
import { jobTables } from "./jobs";
import { ledgerTables } from "./ledger";
import { mailTables } from "./mails";
import { paymentTables } from "./payments";
import { recordTables } from "./records";
import { reminderTables } from "./reminders";
import { sandboxTables } from "./sandbox";
import { sessionTables } from "./sessions";
import { signInTables } from "./sign-in";
import { subscriptionTables } from "./subscriptions";
import { transactionTables } from "./transactions";
import { viewTables } from "./views";

export function buildTables(k: Columns) {
  const identity = identityTables(k);
  const customers = customerTables(k, identity);
  const payments = paymentTables(k, identity);
  const transactions = transactionTables(k, identity, payments);
  return {
    ...identity,
    ...customers,
    ...payments,
    ...reminderTables(k, payments),
    ...sandboxTables(k),
    ...transactions,
    ...creditTables(k, identity, customers, transactions),
    ...sessionTables(k, identity),
    ...signInTables(k, identity),
    ...factorTables(k, identity),
    ...invitationTables(k, identity),
    ...invoiceTables(k, identity, payments, transactions),
    ...subscriptionTables(k, identity, payments),
    ...ledgerTables(k, identity, transactions),
    ...recordTables(k, identity),
    ...jobTables(k),
    ...mailTables(k, identity, payments),
    ...viewTables(k, identity),
  };
}
