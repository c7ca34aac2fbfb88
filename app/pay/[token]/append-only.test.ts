// Anyone with a link can view and submit it any number of times: only real changes add append-only rows.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { GET, POST } from "@/app/sandbox/challenge/[reference]/route";
import { auditEntries, events, transactions } from "@/db/tables";
import { limits } from "@/server/kit/limits";
import { appUrl, browser, formTokenIn, openPayPages, type PayPages } from "@/test/pay-page";
import { card, goodCard } from "@/test/payer";

let pages: PayPages;
beforeAll(async () => {
  pages = await openPayPages();
});
beforeEach(() => pages.world.clock.advance(1000));
afterAll(() => pages.world.close());

const rows = async () => {
  const { read } = pages.world.runtime.db;
  return [await read.$count(auditEntries), await read.$count(events), await read.$count(transactions)];
};

const challenged = card("4000002760003184");

/** Submits the form more often than an impatient payer would. Nothing may be written. */
async function expectNoRows(send: () => Promise<Response>): Promise<void> {
  const before = await rows();
  for (let sent = 0; sent < 5; sent++) expect((await send()).status).toBe(303);
  expect(await rows()).toEqual(before);
}

it("sending a form again after it has paid", async () => {
  const { token } = await pages.newRequest();
  const fields = { form_token: await pages.formOf(token), ...goodCard };
  await pages.post(token, fields);
  await expectNoRows(() => pages.post(token, fields));
});

it("sending a form that was never shown", async () => {
  const { token } = await pages.newRequest();
  await expectNoRows(() => pages.post(token, { form_token: "x", ...goodCard }));
});

it("abandoning an abandoned challenge", async () => {
  const { token } = await pages.newRequest();
  await pages.pay(token, challenged);
  const fields = { act: "leave", form_token: await pages.formOf(token) };
  await pages.post(token, fields);
  await expectNoRows(() => pages.post(token, fields));
});

it("answering an answered challenge", async () => {
  const { token } = await pages.newRequest();
  const path = (await pages.pay(token, challenged)).headers.get("location") ?? "";
  const form_token = formTokenIn(await (await GET(new Request(appUrl + path))).text());
  const headers = { "content-type": "application/x-www-form-urlencoded", ...browser };
  const body = new URLSearchParams({ form_token, answer: "complete" }).toString();
  const send = () => POST(new Request(appUrl + path, { method: "POST", headers, body }));
  await send();
  await expectNoRows(send);
});

it("mistyped cards add rows only up to their limit", async () => {
  const { token } = await pages.newRequest();
  const fields = { form_token: await pages.formOf(token), ...goodCard, card_number: "1" };
  const send = () => pages.post(token, fields);
  for (let sent = 0; sent < limits.payFormsPerHour; sent++) expect((await send()).status).toBe(303);
  const before = await rows();
  for (let sent = 0; sent < 3; sent++) expect((await send()).status).toBe(429);
  expect(await rows()).toEqual(before);
});
