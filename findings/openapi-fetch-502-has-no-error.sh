#!/bin/sh
# openapi-fetch answers { data, error, response }, and its types say that one of data and error is there. If
# an error answer has "Content-Length: 0", both are undefined, so "if (error)" takes a 502 for a success.
# Gateways and load balancers answer like that, and always while something is wrong. A client that makes a
# refund then goes on as if the refund existed. Test response.ok instead of error.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
cd "$dir"
npm init -y >/dev/null
npm install --no-audit --no-fund --loglevel=error openapi-fetch@0.17.0 >/dev/null
npm ls --depth=0 | tail -n +2
cat >check.mjs <<'JS'
import { createServer } from "node:http";
import createClient from "openapi-fetch";

const server = createServer((_request, response) => response.writeHead(502, { "Content-Length": "0" }).end());
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const client = createClient({ baseUrl: `http://127.0.0.1:${server.address().port}` });
const { data, error, response } = await client.POST("/refunds", { body: { amount: 100 } });
server.close();
console.log("Expected: error is set, because the status is 502.");
console.log("Found:   ", { status: response.status, ok: response.ok, data, error });

if (response.status !== 502 || data !== undefined || error !== undefined) {
  console.error("This is no longer so.");
  process.exit(1);
}
JS
node check.mjs
