// The load generator, in its own process: reads what to send from its argument, prints rate and latencies as JSON.
import { randomUUID } from "node:crypto";
import { Agent, request as httpRequest } from "node:http";
import autocannon from "autocannon";

const { targets, connections, seconds, perSecond, amount } = JSON.parse(process.argv[2]);

const latencies = [];
const refusals = {};
const refuse = (why) => {
  refusals[why] = (refusals[why] ?? 0) + 1;
};

/** What changes from one request of a kind to the next. Every connection has its own client. */
const kinds = {
  plain: () => (request) => request,
  keyed: () => (request) => withHeaders(request, { "Idempotency-Key": randomUUID() }),
  /** Each connection continues with the refresh token that it received last. */
  refresh: ({ tokens }) => {
    let token = tokens.pop();
    const setupRequest = (request) =>
      withHeaders(request, { Authorization: `Bearer ${token}`, "Idempotency-Key": randomUUID() });
    const onResponse = (_status, body) => {
      token = JSON.parse(body).refresh_token;
    };
    return Object.assign(setupRequest, { onResponse });
  },
  /** Each connection signs in another user, because sign-ins of one user are limited. */
  login: ({ bodies }) => {
    const body = bodies.pop();
    return (request) => ({ ...request, body });
  },
};

const withHeaders = (request, headers) => ({ ...request, headers: { ...request.headers, ...headers } });

/** As fast as answers arrive, over a fixed number of connections. */
async function flood({ url, method, headers, body, kind, ...given }, share) {
  const makeClient = kinds[kind];
  const setupClient = (client) => {
    const setupRequest = makeClient(given);
    client.setRequests([{ method, headers, body, setupRequest, onResponse: setupRequest.onResponse }]);
  };
  const running = autocannon({
    url,
    connections: share,
    ...(amount ? { amount } : { duration: seconds }),
    ...(kind === "plain" ? { method, headers, body } : { setupClient }),
  });
  running.on("response", (_client, status, _bytes, ms) => {
    if (status !== 200) refuse(status);
    latencies.push(ms);
  });
  const { errors } = await running;
  if (errors > 0) refusals.errors = errors;
}

/** A fixed number of requests per second, regardless of answers: what a bystander sees of a busy server. */
async function pace({ url, method, headers }) {
  const agent = new Agent({ keepAlive: true });
  const running = [];
  const end = performance.now() + seconds * 1000;
  for (let due = performance.now(); due < end; due += 1000 / perSecond) {
    await new Promise((resume) => setTimeout(resume, Math.max(0, due - performance.now())));
    running.push(once(new URL(url), { method, headers, agent }));
  }
  await Promise.all(running);
  agent.destroy();
}

function once(url, options) {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, options, (response) => {
      if (response.statusCode !== 200) refuse(response.statusCode);
      response.resume().once("end", () => resolve(latencies.push(performance.now() - startedAt)));
    });
    request.once("error", reject).end();
  });
}

const startedAt = performance.now();
if (perSecond) await pace(targets[0]);
else await Promise.all(targets.map((target) => flood(target, connections / targets.length)));
const elapsed = (performance.now() - startedAt) / 1000;
latencies.sort((a, b) => a - b);
const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))];
const rate = latencies.length / elapsed;
console.log(JSON.stringify({ count: latencies.length, seconds: elapsed, refusals, rate, p50: at(0.5), p99: at(0.99) }));
