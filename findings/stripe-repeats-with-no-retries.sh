#!/bin/sh
# The Stripe library for Node sends a request a second time although "maxNetworkRetries" is 0. It does so when
# the connection is reset, and then nobody knows whether Stripe has carried out the first request. Both
# requests have the same idempotency key, so Stripe makes one refund. But software that plans its own retries,
# within a deadline of its own, makes twice as many requests as it believes. The library's client on top of
# fetch sends the request once. Use Stripe.createFetchHttpClient() where one call must be one request, and
# count the requests in a test.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
cd "$dir"
npm init -y >/dev/null
npm install --no-audit --no-fund --loglevel=error stripe@23.1.0 >/dev/null
npm ls --depth=0 | tail -n +2
cat >check.mjs <<'JS'
import { createServer } from "node:http";
import Stripe from "stripe";

let requests = 0;
// Takes a whole request, then resets the connection, as a failing proxy does.
const server = createServer((request) => {
  requests += 1;
  request.resume().on("end", () => request.socket.resetAndDestroy());
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

/** How many requests one refund makes. */
async function count(options) {
  requests = 0;
  const stripe = new Stripe("sk_test_example", {
    host: "127.0.0.1",
    port: server.address().port,
    protocol: "http",
    telemetry: false,
    maxNetworkRetries: 0,
    ...options,
  });
  await stripe.refunds.create({ payment_intent: "pi_example", amount: 100 }).catch(() => {});
  return requests;
}

const byDefault = await count({});
const byFetch = await count({ httpClient: Stripe.createFetchHttpClient() });
server.close();
console.log("Expected: 1 request, because retries are off.");
console.log(`Found: ${byDefault} requests by default, ${byFetch} with the client on top of fetch.`);

if (byDefault !== 2 || byFetch !== 1) {
  console.error("This is no longer so.");
  process.exit(1);
}
JS
node check.mjs
