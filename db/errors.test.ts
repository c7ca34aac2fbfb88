// What the engines' errors mean: the drivers' own words count, and those of callers never do.
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
])("the driver says that the database is not to be had: %s", (message) => {
  expect(isUnavailable(new Error(message))).toBe(true);
  expect(isUnavailable(wrapped(new Error(message)))).toBe(true);
});

test.each([
  "Connection terminated: unknown field",
  "Query read timeout: unknown field",
  "metadata.is not queryable: unknown field",
  "Failed query: insert into transactions\nparams: Connection terminated",
  "Failed query: insert into transactions\nparams: timeout exceeded when trying to connect",
])("a text of a caller within an error's message says nothing of it: %j", (message) => {
  expect(isUnavailable(new Error(message))).toBe(false);
  expect(tookTooLong(new Error(message))).toBe(false);
});
