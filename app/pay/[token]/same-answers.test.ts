// Our own server and the route files respond alike: status, headers and body, for every state and for bad input.
import type { Server } from "node:http";
import { request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as anyPay from "@/app/pay/[...path]/route";
import * as receipt from "@/app/pay/[token]/receipt/route";
import * as pay from "@/app/pay/[token]/route";
import * as anySandbox from "@/app/sandbox/[...path]/route";
import * as challenge from "@/app/sandbox/challenge/[reference]/route";
import { payPageStates } from "@/server/domains/payments/operations/view";
import { answerHosted } from "@/server/hosted/serve";
import { listenerOf } from "@/server/http/node-http";
import { createHttpServer, listen } from "@/server/http/server";
import { serverSettings } from "@/test/http";
import { appUrl, browser, formTokenIn, openPayPages, type PayPages } from "@/test/pay-page";
import { type Journeys, journeysOf } from "@/test/pay-states";
import { card, goodCard } from "@/test/payer";

let pages: PayPages;
let journeys: Journeys;
let server: Server;
beforeAll(async () => {
  pages = await openPayPages({ PAY_FAILURES_PER_IP: "1000" });
  journeys = journeysOf(pages);
  const elsewhere = async () => {
    throw new Error("Only hosted pages are requested here.");
  };
  const faces = { rest: elsewhere, pages: elsewhere, hosted: listenerOf(answerHosted) };
  server = createHttpServer({ ...faces, ...serverSettings });
  await listen(server, 0, "127.0.0.1");
});
beforeEach(() => pages.world.clock.advance(1000));
afterAll(async () => {
  server.close();
  await pages.world.close();
});

interface Sent {
  method: "GET" | "HEAD" | "POST" | "PUT" | "DELETE" | "OPTIONS";
  /** Path and query. */
  target: string;
  headers?: Record<string, string>;
  body?: string;
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The route file that Next chooses. */
function routeOf(target: string) {
  const [path = ""] = target.split("?");
  if (/^\/pay\/[^/]+$/.test(path)) return pay;
  if (/^\/pay\/[^/]+\/receipt$/.test(path)) return receipt;
  if (/^\/sandbox\/challenge\/[^/]+$/.test(path)) return challenge;
  return path.startsWith("/pay/") ? anyPay : anySandbox;
}

async function byRouteFile({ method, target, headers = {}, body }: Sent): Promise<Answer> {
  const init = { method, headers, ...(body === undefined ? {} : { body }) };
  const response = await routeOf(target)[method](new Request(appUrl + target, init));
  return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
}

async function byOurServer({ method, target, headers = {}, body }: Sent): Promise<Answer> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ port, host: "127.0.0.1", method, path: target, headers }, async (response) => {
      const given = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
      resolve({ status: response.statusCode ?? 0, headers: Object.fromEntries(given), body: await text(response) });
    });
    sent.on("error", reject).end(body);
  });
}

/** Headers of the connection or of the single response. */
const transport = ["date", "connection", "keep-alive", "content-length", "request-id"];

/** The part that must be equal: all but the transport's headers and a form's one-time token. */
const comparable = ({ status, headers, body }: Answer) => ({
  status,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !transport.includes(name))),
  body: body.replace(/(name="form_token" value=")[^"]+/g, "$1one-time"),
});

/** The common response of both to an HTTP request that changes nothing. */
async function bothTo(sent: Sent): Promise<Answer> {
  const [one, other] = [await byRouteFile(sent), await byOurServer(sent)];
  expect(comparable(other), `${sent.method} ${sent.target}`).toEqual(comparable(one));
  expect([one.headers["request-id"], other.headers["request-id"]]).toEqual([
    expect.stringMatching(/^req_/),
    expect.stringMatching(/^req_/),
  ]);
  return other;
}

const form = { "content-type": "application/x-www-form-urlencoded", ...browser };

describe("reading", () => {
  it.each(payPageStates)("%s: page and receipt, by every method", async (name) => {
    const { token } = await journeys[name]();
    for (const path of [`/pay/${token}`, `/pay/${token}/receipt`]) {
      for (const query of ["", "?lang=de", "?lang=en-u-nu-arab", "?problem=number_invalid,x&check=3", "?lang=&x=%ff"]) {
        const headers = { "accept-language": "de-AT, en;q=0.5" };
        const got = await bothTo({ method: "GET", target: path + query, headers });
        expect(got.status).toBe(200);
        const head = await bothTo({ method: "HEAD", target: path + query, headers });
        expect({ ...comparable(head), body: "" }).toEqual({ ...comparable(got), body: "" });
        expect(head.body).toBe("");
      }
    }
  });

  it("the challenge page, open and answered", async () => {
    const { token } = await journeys.requires_action();
    const path = /\/sandbox\/challenge\/\w+/.exec((await pages.read(token)).text)?.[0] ?? "";
    for (const target of [path, `${path}?lang=de`]) expect((await bothTo({ method: "GET", target })).status).toBe(200);
    const { body } = await bothTo({ method: "GET", target: path });
    const answer = new URLSearchParams({ answer: "fail", form_token: formTokenIn(body) }).toString();
    await byOurServer({ method: "POST", target: path, headers: form, body: answer });
    expect((await bothTo({ method: "GET", target: path })).body).toContain("Already answered");
  });

  it.each([
    "/pay/unknown",
    "/pay/%3Cscript%3E?lang=de",
    `/pay/${"x".repeat(600)}`,
    "/pay/x/y",
    "/pay/x/receipt/y",
    "/sandbox/x",
    "/sandbox/challenge/x",
    "/sandbox/challenge/x/y",
  ])("%s is not found, with the headers of every page", async (target) => {
    for (const method of ["GET", "HEAD"] as const) {
      const { status, headers } = await bothTo({ method, target });
      expect(status).toBe(404);
      expect(headers).toMatchObject({
        "content-security-policy": expect.stringMatching(/^default-src 'none'; style-src 'sha256-/),
        "referrer-policy": "no-referrer",
        "x-frame-options": "DENY",
        "x-robots-tag": "noindex, nofollow",
      });
    }
  });

  it("a path with a trailing slash redirects to the page", async () => {
    const { token } = await pages.newRequest();
    const { status, headers } = await bothTo({ method: "GET", target: `/pay/${token}/?lang=de` });
    expect([status, headers.location]).toEqual([308, `/pay/${token}?lang=de`]);
  });
});

describe("sending", () => {
  it.each(["PUT", "DELETE", "OPTIONS"] as const)("%s is refused", async (method) => {
    const { token } = await pages.newRequest();
    const { status, headers } = await bothTo({ method, target: `/pay/${token}` });
    expect([status, headers.allow]).toEqual([405, "GET, HEAD, POST"]);
  });

  it("a form to a receipt is refused", async () => {
    const { token } = await pages.newRequest();
    const sent: Sent = { method: "POST", target: `/pay/${token}/receipt`, headers: form, body: "x=1" };
    const { status, headers } = await bothTo(sent);
    expect([status, headers.allow]).toEqual([405, "GET, HEAD"]);
  });

  it.each<[string, number, Partial<Sent>]>([
    ["from another site", 403, { headers: { ...form, "sec-fetch-site": "cross-site" }, body: "x=1" }],
    ["of another kind", 415, { headers: { ...form, "content-type": "application/json" }, body: "{}" }],
    ["that is too long", 413, { headers: form, body: `x=${"y".repeat(8192)}` }],
    ["of nothing", 303, { headers: form }],
    ["with a forged token", 303, { headers: form, body: "form_token=x&card_number=4242424242424242" }],
  ])("a form %s answers %i", async (_what, status, given) => {
    const { token } = await pages.newRequest();
    expect((await bothTo({ method: "POST", target: `/pay/${token}`, ...given })).status).toBe(status);
  });

  it.each([
    ["a good card", goodCard],
    ["a declined card", card("4000000000000002")],
    ["a card to confirm", card("4000002760003184")],
    ["no card number", { ...goodCard, card_number: "" }],
  ])("%s gets the same response", async (_what, typed) => {
    const answers = [];
    for (const send of [byRouteFile, byOurServer]) {
      const { token } = await pages.newRequest();
      const body = new URLSearchParams({ form_token: await pages.formOf(token), ...typed }).toString();
      const answer = await send({ method: "POST", target: `/pay/${token}?lang=de`, headers: form, body });
      const plain = JSON.stringify(comparable(answer))
        .replaceAll(token, "T")
        .replace(/charge_\w+/g, "C");
      answers.push(JSON.parse(plain) as unknown);
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[0]).toMatchObject({ status: 303 });
  });
});
