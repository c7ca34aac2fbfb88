// Whole examples of every operation's request and response: a bakery that is paid for two coffees.
import * as z from "zod";
import type { ZodOpenApiExamplesObject } from "zod-openapi";
import type { Operation } from "@/server/kit/operation";
import { accountExamples } from "./examples-accounts";
import { apiKeyExamples } from "./examples-api-keys";
import { customerExamples } from "./examples-customers";
import { invitationExamples } from "./examples-invitations";
import { ledgerExamples } from "./examples-ledger";
import { mailExamples } from "./examples-mails";
import { paymentExamples } from "./examples-payments";
import { sandboxExamples } from "./examples-sandbox";
import { subscriptionExamples } from "./examples-subscriptions";
import { transactionExamples } from "./examples-transactions";
import { metaOf } from "./meta";
import type { OperationExamples } from "./story";

const examples: Readonly<Record<string, OperationExamples>> = {
  ...accountExamples,
  ...apiKeyExamples,
  ...customerExamples,
  ...invitationExamples,
  ...ledgerExamples,
  ...mailExamples,
  ...paymentExamples,
  ...sandboxExamples,
  ...subscriptionExamples,
  ...transactionExamples,
  "documents.openapi": { response: { openapi: "3.1.1", info: { title: "Quittance", version: "1" }, paths: {} } },
};

/** Examples of records, for operations without one of their own. */
const records: Readonly<Record<string, unknown>> = {
  Account: examples["accounts.get"]?.response,
  ApiKey: examples["apiKeys.revoke"]?.response,
  CustomerRecord: examples["customers.get"]?.response,
  Invitation: examples["invitations.revoke"]?.response,
  Mail: examples["mails.resend"]?.response,
  Payment: examples["payments.get"]?.response,
  SubscriptionRecord: examples["subscriptions.get"]?.response,
  Transaction: examples["transactions.get"]?.response,
  User: examples["users.update"]?.response,
};

/** The example of the operation's response: its own, or that of the record that it returns. */
export function responseExampleOf({ id, output }: Operation): unknown {
  const found = examples[id]?.response ?? records[output.meta()?.id ?? ""];
  if (found === undefined) throw new Error(`${id} has no example of its response.`);
  return found;
}

/** The examples of the operation's body, by what each shows: its own, or one made of the examples of its fields. */
export function requestExamplesOf({ id, input, rest }: Operation): ZodOpenApiExamplesObject {
  const requests = examples[id]?.requests ?? { example: exampleOfFields(input, rest?.path ?? "") };
  return Object.fromEntries(Object.entries(requests).map(([name, value]) => [name, { value }]));
}

/** The fields that have an example, apart from those in the path. document.test.ts checks that none is missing. */
function exampleOfFields(input: Operation["input"], path: string): object {
  const shape = input instanceof z.ZodObject ? (input.shape as Record<string, z.ZodType>) : {};
  const fields = Object.entries(shape).filter(([name]) => !path.includes(`{${name}}`));
  return Object.fromEntries(
    fields.flatMap(([name, field]) => {
      const { example } = metaOf(field);
      return example === undefined ? [] : [[name, example]];
    }),
  );
}
