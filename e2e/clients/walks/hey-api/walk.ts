// Walks the API with the client of @hey-api/openapi-ts.
import { callExamples } from "../../generated/examples/hey-api";
import { documentsOpenapi } from "../../generated/hey-api";
import { answered, equal, type Walk } from "../walk";
import { walkAccounts } from "./accounts";
import { walkApiKeys, walkAuditLog } from "./api-keys";
import { walkCustomers } from "./customers";
import { walkInvitations } from "./invitations";
import { walkLedger } from "./ledger";
import { walkMails } from "./mails";
import { walkPayments } from "./payments";
import { clientOf, signIn } from "./people";
import { walkSandbox } from "./sandbox";
import { walkSessions, walkUsers } from "./sessions";
import { walkSubscriptions } from "./subscriptions";
import { walkTransactions } from "./transactions";

export const walk: Walk = async (start) => {
  const { client: admin } = await signIn(start, start.admin.email, start.admin.password);
  await walkSessions(start, admin);
  await walkUsers(start, admin);
  await walkAccounts(start, admin);
  await walkInvitations(start, admin);
  await walkApiKeys(start, admin);
  await walkAuditLog(admin);
  await walkCustomers(start);
  await walkPayments(start);
  await walkSubscriptions(start);
  await walkMails(start);
  await walkTransactions(start, admin);
  await walkLedger(start, admin);
  await walkSandbox(start, admin);
  await callExamples((await signIn(start, start.admin.email, start.admin.password)).client, start.ids);
  equal(answered(await documentsOpenapi({ client: clientOf(start) })).openapi, "3.1.1");
};
