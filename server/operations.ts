// The table of all operations. The tRPC router, the REST routes and the OpenAPI document are made from it.
import { closeAccount } from "./accounts/close";
import { createAccount } from "./accounts/create";
import { getAccount } from "./accounts/get";
import { listAccounts } from "./accounts/list";
import { updateAccount } from "./accounts/update";
import { openApiOf } from "./documents/openapi";
import { openApiOperation } from "./documents/openapi-operation";
import { setUpInstance } from "./organizations/setup";
import { createUser } from "./users/create";
import { listUsers } from "./users/list";
import { removeUser } from "./users/remove";

export const operations = {
  accounts: { create: createAccount, update: updateAccount, close: closeAccount, get: getAccount, list: listAccounts },
  users: { create: createUser, remove: removeUser, list: listUsers },
  organizations: { setup: setUpInstance },
  documents: { openapi: openApiOperation(() => describe()) },
};

let description: Record<string, unknown> | undefined;

/** The OpenAPI document of this table; made once per process. */
function describe(): Record<string, unknown> {
  description ??= openApiOf(operations);
  return description;
}
