#!/bin/sh
# The server library of the Model Context Protocol lets a tool return a field that its output schema does not
# name. The server checks the result with zod, which ignores such a field, and then sends the whole result.
# The schema that clients get says "additionalProperties: false", so the client library throws, after the tool
# has run. An agent reads that the refund failed, and may make it again. It is enough to add a field to a
# shared record, and a test that calls the tool itself does not notice. Use z.looseObject for outputs or copy
# exactly the named fields, and call each tool in a test through the client library, after it has listed the
# tools. The specification of the protocol (under "Tools", "Output Schema") says that a server's results must
# conform to the schema.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
cd "$dir"
npm init -y >/dev/null
npm install --no-audit --no-fund --loglevel=error \
  @modelcontextprotocol/server@2.4.0 @modelcontextprotocol/client@2.4.0 zod@4.6.7 >/dev/null
npm ls --depth=0 | tail -n +2
cat >check.mjs <<'JS'
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";

/** Calls a tool whose output schema is made by `object`. Its result has one field more. */
async function call(object) {
  let refunds = 0;
  const server = new McpServer({ name: "payments", version: "1.0.0" });
  server.registerTool(
    "refund",
    { inputSchema: z.object({ amount: z.int() }), outputSchema: object({ id: z.string() }) },
    () => {
      refunds += 1;
      return { content: [{ type: "text", text: "refunded" }], structuredContent: { id: "re_1", status: "pending" } };
    },
  );
  const client = new Client({ name: "agent", version: "1.0.0" });
  const [left, right] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(left), client.connect(right)]);
  await client.listTools();
  const answer = await client.callTool({ name: "refund", arguments: { amount: 100 } }).then(
    () => "a result",
    (error) => `error ${error.code}: ${error.message}`,
  );
  await client.close();
  return { refunds, answer };
}

const usual = await call(z.object);
const loose = await call(z.looseObject);
console.log("Expected: the server refuses or drops the field, or the client accepts it.");
console.log("Found with z.object:     ", usual);
console.log("Found with z.looseObject:", loose);

const same = usual.answer.startsWith("error") && loose.answer === "a result";
if (usual.refunds !== 1 || loose.refunds !== 1 || !same) {
  console.error("This is no longer so.");
  process.exit(1);
}
JS
node check.mjs
