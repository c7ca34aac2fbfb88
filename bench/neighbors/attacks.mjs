// What one caller at one address can try. Each attack resolves once it is running, and then continues.
import { connect } from "node:net";

/** A request as bytes, so that no client library interferes. */
function bytesOf({ method = "GET", path, token, headers = {}, body = "", length = Buffer.byteLength(body) }) {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    "Host: 127.0.0.1",
    ...(token ? [`Authorization: Bearer ${token}`] : []),
    ...(length > 0 ? [`Content-Length: ${length}`, "Content-Type: application/json"] : []),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}

/** Opens a socket from the attacker's address, and records how it ends. */
function open({ port, address }, note) {
  const socket = connect({ port, host: "127.0.0.1", localAddress: address });
  socket.on("error", (error) => note(error.code));
  return socket;
}

const statusOf = (chunk) => /^HTTP\/1\.1 (\d{3})/.exec(chunk.toString("latin1"))?.[1];
const sleep = (ms) => new Promise((resume) => setTimeout(resume, ms));

/** Keeps `count` sockets open: one that ends is replaced a moment later. */
async function keep(count, given, note, begin) {
  const start = () => {
    const socket = open(given, note);
    begin(socket);
    socket.once("close", () => setTimeout(start, 200));
  };
  for (let n = 0; n < count; n++) {
    start();
    // Opening all of them in one turn would overflow the system's queue of unaccepted connections.
    if (n % 50 === 49) await sleep(20);
  }
  await sleep(500);
}

/** `count` connections, each of which sends the next request once the previous one is answered. */
const flood = (count, given, note, next) =>
  keep(count, given, note, (socket) => {
    const send = () => socket.writable && socket.write(next());
    socket.once("connect", send);
    let left = 0;
    socket.on("data", (chunk) => {
      const status = left === 0 ? statusOf(chunk) : undefined;
      if (status === undefined) {
        left = Math.max(0, left - chunk.length);
        return left === 0 && send();
      }
      note(status);
      const text = chunk.toString("latin1");
      const head = text.indexOf("\r\n\r\n") + 4;
      left = Math.max(0, Number(/^content-length: (\d+)/im.exec(text)?.[1] ?? 0) - (chunk.length - head));
      if (left === 0) send();
    });
  });

/** Sends one request on each of `count` connections and never reads the answer. */
const neverRead = (count, given, note, request) =>
  keep(count, given, note, (socket) => {
    socket.pause();
    socket.once("connect", () => socket.write(request));
  });

/** Sends `first`, then a byte per second for as long as it is allowed. */
const dribble = (count, given, note, first) =>
  keep(count, given, note, (socket) => {
    socket.on("data", (chunk) => note(statusOf(chunk) ?? "data"));
    socket.once("connect", () => socket.write(first));
    const timer = setInterval(() => socket.writable && socket.write("a"), 1_000);
    socket.once("close", () => clearInterval(timer));
  });

let number = 0;
const unique = () => `${process.pid}-${number++}`;

/** The largest accepted body: as many metadata keys as allowed, each with a different value. */
function largeBody(bodyBytes) {
  const metadata = {};
  const body = () => JSON.stringify({ type: "payment", amount: 100, currency: "EUR", metadata });
  for (let n = 0; n < 50; n++) {
    metadata[`key_${n}`] = `${unique()} ${"lorem ipsum dolor sit amet ".repeat(20)}`.slice(0, 300);
    if (Buffer.byteLength(body()) > bodyBytes) delete metadata[`key_${n}`];
  }
  return body();
}

const pollPath = ({ paymentId }) => `/v1/payments/${paymentId}/status?wait=60`;

export const attacks = {
  nothing: async () => {},
  "2,000 long polls of one session": (given, note) =>
    keep(2_000, given, note, (socket) => {
      socket.on("data", (chunk) => note(statusOf(chunk) ?? "data"));
      socket.once("connect", () => socket.write(bytesOf({ path: pollPath(given), token: given.token })));
    }),
  "6,000 long polls on one connection": (given, note) =>
    keep(1, given, note, (socket) => {
      socket.on("data", (chunk) => note(statusOf(chunk) ?? "data"));
      const poll = bytesOf({ path: pollPath(given), token: given.token });
      socket.once("connect", () => socket.write(poll.repeat(6_000)));
    }),
  "20 exports that are not read": (given, note) =>
    neverRead(20, given, note, bytesOf({ path: "/v1/transactions/export?format=ndjson", token: given.token })),
  "300 lists that are not read": (given, note) =>
    neverRead(300, given, note, bytesOf({ path: "/v1/transactions?limit=100", token: given.token })),
  "60 held POSTs of 10 MB to pages": (given, note) => {
    const head = bytesOf({ method: "POST", path: "/sign-in", length: 10_000_000 });
    const most = Buffer.alloc(9_900_000, "a");
    return keep(60, given, note, (socket) => {
      socket.on("data", (chunk) => note(statusOf(chunk) ?? "data"));
      socket.once("connect", () => {
        socket.write(head);
        socket.write(most);
      });
    });
  },
  "500 slow headers": (given, note) => dribble(500, given, note, "GET /v1/transactions HTTP/1.1\r\nHost: a\r\nX-"),
  "500 slow bodies": (given, note) =>
    dribble(500, given, note, bytesOf({ method: "POST", path: "/v1/auth/login", length: 60_000 })),
  "60 concurrent logins of six accounts": (given, note) => {
    let n = 0;
    const bodies = given.emails.map((email) => JSON.stringify({ email, password: given.password }));
    const next = () => bytesOf({ method: "POST", path: "/v1/auth/login", body: bodies[n++ % bodies.length] });
    return flood(60, given, note, next);
  },
  "the largest bodies, 50 connections": (given, note) =>
    flood(50, given, note, () =>
      bytesOf({
        method: "POST",
        path: "/v1/transactions",
        token: given.token,
        headers: { "Idempotency-Key": unique() },
        body: largeBody(given.bodyBytes),
      }),
    ),
  "searches for the worst words, 50 connections": (given, note) => {
    const path = `/v1/transactions?limit=100&q=${encodeURIComponent(given.worstSearch)}`;
    return flood(50, given, note, () => bytesOf({ path, token: given.adminToken }));
  },
  "counts of everything, 50 connections": (given, note) => {
    const path = "/v1/transactions?limit=100&include_total=true&currency=EUR&amount_min=1";
    return flood(50, given, note, () => bytesOf({ path, token: given.adminToken }));
  },
  "40 anonymous posts to a confirmation": (given, note) => {
    const body = "answer=complete";
    const headers = { "Sec-Fetch-Site": "same-origin", "Content-Type": "application/x-www-form-urlencoded" };
    const lines = Object.entries({ ...headers, "Content-Length": body.length }).map(([k, v]) => `${k}: ${v}`);
    const path = `/sandbox/challenge/sandbox_charge_${"0".repeat(24)}`;
    return flood(40, given, note, () => `POST ${path} HTTP/1.1\r\nHost: a\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
  },
  "retrieves without a token, 100 connections": (given, note) =>
    flood(100, given, note, () => bytesOf({ path: "/v1/transactions" })),
};
