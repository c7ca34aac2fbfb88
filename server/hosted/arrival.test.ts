// What customers read names the day on which money arrived, and how, in their language: not the day of its recording.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { mails } from "@/db/tables";
import { exportPayments } from "@/server/domains/payments/operations/export";
import { markPaid } from "@/server/domains/payments/operations/mark-paid";
import { createTransaction } from "@/server/domains/transactions/operations/create";
import { dayMs } from "@/server/kit/limits";
import { textOf } from "@/test/downloads";
import { openPayPages, type PayPages } from "@/test/pay-page";
import { refusalOf } from "@/test/world";

let pages: PayPages;
beforeAll(async () => {
  pages = await openPayPages();
});
afterAll(() => pages.world.close());

const received = "2026-09-03T09:00:00.000Z";
/** The day, as the text of this language writes it, and a transfer, cash and a check. */
const words = {
  en: ["September 3, 2026", "Bank transfer", "Cash", "Check"],
  de: ["3. September 2026", "Überweisung", "Barzahlung", "Scheck"],
  fr: ["3 septembre 2026", "Virement bancaire", "Espèces", "Chèque"],
  es: ["3 de septiembre de 2026", "Transferencia bancaria", "Efectivo", "Cheque"],
  ja: ["2026年9月3日", "銀行振込", "現金", "小切手"],
  ar: ["سبتمبر", "تحويل مصرفي", "نقدًا", "شيك"],
} as const;
const methods = ["bank_transfer", "cash", "check"] as const;

async function recorded(locale: string, method: (typeof methods)[number]) {
  const { world, acme } = pages;
  world.clock.advance(dayMs);
  const customer = { name: "Grace", email: "grace@example.com" };
  const { payment, token } = await pages.newRequest({ amount: 1000, currency: "EUR", customer, locale });
  const { payment_id } = payment;
  const paid = await world.call(markPaid, acme.member.actor, { payment_id, method, received_at: received });
  return { payment_id, token, paid };
}

it.each(Object.entries(words))("on the pay page, the receipt and in the mail: %s", async (locale, [day, ...names]) => {
  for (const [i, method] of methods.entries()) {
    const { payment_id, token, paid } = await recorded(locale, method);
    expect(paid.paid_at).toBe(received);
    const page = (await pages.read(token)).text;
    const receipt = await (await pages.receipt(token)).text();
    const [mail] = await pages.world.runtime.db.read.select().from(mails).where(eq(mails.paymentId, payment_id));
    // Mails are in four languages.
    const texts = locale in { en: 1, de: 1, fr: 1, es: 1 } ? [page, receipt, mail?.text ?? ""] : [page, receipt];
    for (const text of texts) {
      expect(text).toContain(day);
      expect(text).toContain(names[i]);
    }
  }
});

it("in the export of payment requests", async () => {
  const { payment_id } = await recorded("en", "cash");
  const columns = ["payment_id", "paid_at"] as const;
  const file = await textOf(await pages.world.call(exportPayments, pages.acme.member.actor, { columns: [...columns] }));
  expect(file).toContain(`${payment_id},${received}`);
});

it("and of several parts the day of the last one, in whatever order they were recorded", async () => {
  const { world, acme } = pages;
  const { payment } = await pages.newRequest({ amount: 1000, currency: "EUR" });
  const { payment_id } = payment;
  const mark = (amount: number, received_at: string) =>
    world.call(markPaid, acme.member.actor, { payment_id, method: "cash", amount, received_at });
  await mark(400, "2026-09-05T09:00:00.000Z");
  expect((await mark(600, received)).paid_at).toBe("2026-09-05T09:00:00.000Z");
});

it("which is never in the future, by no door", async () => {
  const { world, acme } = pages;
  const { payment } = await pages.newRequest({ amount: 1000, currency: "EUR" });
  const { payment_id } = payment;
  const future = new Date(world.clock.now() + dayMs).toISOString();
  const money = { amount: 1000, currency: "EUR", effective_at: future };
  const calls = [
    world.call(markPaid, acme.member.actor, { payment_id, received_at: future }),
    world.call(createTransaction, acme.member.actor, { type: "payment", payment_id, ...money }),
    world.call(createTransaction, acme.member.actor, { type: "payment", ...money }),
    world.call(createTransaction, acme.admin.actor, { type: "credit", account_id: acme.member.accountId, ...money }),
  ];
  expect(new Set(await Promise.all(calls.map(refusalOf)))).toEqual(new Set(["invalid_request"]));
});
