// The bystander in its own process: paced retrieves from another address than the attacker's. Prints their latencies.
import { Agent, request as httpRequest } from "node:http";

const { url, path, tokens, perSecond, seconds, address } = JSON.parse(process.argv[2]);

const longestAnswerMs = 30_000;
const agent = new Agent({ keepAlive: true, localAddress: address });
const latencies = [];
const failures = {};
const noteFailure = (why) => {
  failures[why] = (failures[why] ?? 0) + 1;
};

/** One retrieve. A failed one counts with the time that it took, so that refusing does not look fast. */
function retrieve(token) {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const done = () => resolve(latencies.push(performance.now() - startedAt));
    const headers = { Authorization: `Bearer ${token}` };
    const call = httpRequest(`${url}${path}`, { headers, agent, timeout: longestAnswerMs }, (response) => {
      if (response.statusCode !== 200) noteFailure(response.statusCode);
      response.resume().once("end", done);
    });
    call.once("timeout", () => call.destroy(new Error("timeout")));
    call.once("error", (error) => {
      noteFailure(error.code ?? error.message);
      done();
    });
    call.end();
  });
}

const running = [];
const end = performance.now() + seconds * 1000;
let n = 0;
for (let due = performance.now(); due < end; due += 1000 / perSecond) {
  await new Promise((resume) => setTimeout(resume, Math.max(0, due - performance.now())));
  // Several users share the pace, because the calls of one user are limited.
  running.push(retrieve(tokens[n++ % tokens.length]));
}
await Promise.all(running);
agent.destroy();

latencies.sort((a, b) => a - b);
const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))];
console.log(JSON.stringify({ count: latencies.length, p50: at(0.5), p99: at(0.99), max: at(1), failures }));
