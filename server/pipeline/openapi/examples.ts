// Whole examples of every operation's request and response: a bakery that is paid for two coffees.
import type { ZodOpenApiExamplesObject } from "zod-openapi";
import type { Operation } from "@/server/kit/operation";
import { accountExamples } from "./examples-accounts";
import { apiKeyExamples } from "./examples-api-keys";
import { invitationExamples } from "./examples-invitations";
import { mailExamples } from "./examples-mails";
import { paymentExamples } from "./examples-payments";
import { transactionExamples } from "./examples-transactions";
import type { OperationExamples } from "./story";

const examples: Readonly<Record<string, OperationExamples>> = {
  ...accountExamples,
  ...apiKeyExamples,
  ...invitationExamples,
  ...mailExamples,
  ...paymentExamples,
  ...transactionExamples,
  "documents.openapi": { response: { openapi: "3.1.1", info: { title: "Quittance", version: "1" }, paths: {} } },
};

function examplesOf({ id }: Operation): OperationExamples {
  const found = examples[id];
  if (!found) throw new Error(`${id} has no examples.`);
  return found;
}

/** The example of the operation's response. */
export const responseExampleOf = (operation: Operation): unknown => examplesOf(operation).response;

/** The examples of the operation's body, by what each shows. */
export function requestExamplesOf(operation: Operation): ZodOpenApiExamplesObject {
  const { requests } = examplesOf(operation);
  if (!requests) throw new Error(`${operation.id} has no example of its body.`);
  return Object.fromEntries(Object.entries(requests).map(([name, value]) => [name, { value }]));
}
