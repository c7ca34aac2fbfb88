// One load from a process of its own: reads what to send from its argument, prints autocannon's result as JSON.
import { randomUUID } from "node:crypto";
import autocannon from "autocannon";

const { url, method, headers, body, seconds, connections, hasKeys } = JSON.parse(process.argv[2]);

const setupRequest = (request) => ({
  ...request,
  headers: { ...request.headers, "Idempotency-Key": randomUUID() },
});

const result = await autocannon({
  url,
  method,
  headers,
  body,
  connections,
  duration: seconds,
  ...(hasKeys ? { requests: [{ setupRequest }] } : {}),
});
process.stdout.write(JSON.stringify(result));
