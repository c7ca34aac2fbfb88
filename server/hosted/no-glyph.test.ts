// Papers in Japanese: the fonts of PDF files have no kanji, so there is no file, but every page stays.
import { afterAll, beforeAll, expect, it } from "vitest";
import { getPayment } from "@/server/domains/payments/operations/get";
import { refundPayment } from "@/server/domains/payments/operations/refund";
import { askHosted } from "@/test/hosted";
import { ask, payWith } from "@/test/payer";
import { openWorld, type World } from "@/test/world";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const pathOf = (url: string | null): string => new URL(url ?? "").pathname;

it("an invoice, its receipt and its credit note in yen name the character, and are shown as pages", async () => {
  const { actor } = (await world.organization()).member;
  const line_items = [{ name: "書籍", quantity: 1, unit_amount: 1200 }];
  const given = { type: "invoice", currency: "JPY", amount: 1200, locale: "ja", line_items } as const;
  const { payment, token } = await ask(world, actor, given);
  expect(payment).toMatchObject({ pdf_problem: "書", pdf_url: null });
  await payWith(world, token);
  await world.call(refundPayment, actor, { payment_id: payment.payment_id });
  const after = await world.call(getPayment, actor, { payment_id: payment.payment_id });
  expect(after.credit_notes).toMatchObject([{ amount: 1200, pdf_problem: "書", pdf_url: null }]);
  const receipt = pathOf(after.receipt_url);
  const file = await askHosted(world, "GET", `${receipt}?format=pdf`);
  expect([file?.status, String(file?.body)]).toEqual([422, expect.stringContaining("書")]);
  const note = after.credit_notes[0]?.credit_note_id;
  for (const path of [receipt, `/pay/${token}/invoice`, `/pay/${token}/credit-notes/${note}`]) {
    const page = await askHosted(world, "GET", path);
    expect([path, page?.status, String(page?.body)]).toEqual([path, 200, expect.stringContaining("￥")]);
  }
});
