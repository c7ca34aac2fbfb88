// How engine errors are classified: by the drivers' own messages, never by texts of callers.
import { expect, test } from "vitest";
import { isUnavailable, tookTooLong } from "./errors";

const wrapped = (cause: Error) => new Error("Failed query: select 1\nparams: ", { cause });

test.each([
  "Connection terminated",
  "Connection terminated unexpectedly",
  "Connection terminated due to connection timeout",
  "timeout exceeded when trying to connect",
  "Query read timeout",
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
  "Cannot use a pool after calling end on the pool",
])("the driver's message means unavailable: %s", (message) => {
  expect(isUnavailable(new Error(message))).toBe(true);
  expect(isUnavailable(wrapped(new Error(message)))).toBe(true);
});

test.each([
  "Connection terminated: unknown field",
  "Query read timeout: unknown field",
  "metadata.is not queryable: unknown field",
  "Failed query: insert into transactions\nparams: Connection terminated",
  "Failed query: insert into transactions\nparams: timeout exceeded when trying to connect",
])("a caller's text inside a message does not mean unavailable: %j", (message) => {
  expect(isUnavailable(new Error(message))).toBe(false);
  expect(tookTooLong(new Error(message))).toBe(false);
});
