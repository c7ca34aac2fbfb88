// An invoice whose part payment was refunded: it waits for its rest in every list and figure, as without the refund.
import { afterAll, beforeAll, expect, test } from "vitest";
import { overviewAttention } from "@/server/domains/overview/operations/attention";
import { overviewFigures } from "@/server/domains/overview/operations/figures";
import { countPayments } from "@/server/domains/payments/operations/counts";
import { listPaymentRequests } from "@/server/domains/payments/operations/list";
import { filtersOfTab } from "@/server/domains/payments/status-tabs";
import { createTransaction } from "@/server/domains/transactions/operations/create";
import { dayMs } from "@/server/kit/limits";
import type { PaymentQuery } from "@/test/filters";
import { ask, payWith } from "@/test/payer";
import { openWorld, type World } from "@/test/world";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

test.each([100, 400])("an invoice of which %i of 400 were refunded stays open and overdue", async (amount) => {
  const due_at = new Date(world.clock.now() + dayMs).toISOString();
  const expires_at = new Date(world.clock.now() + 3 * dayMs).toISOString();
  const { admin, member } = await world.organization();
  const reader = amount === 100 ? member.actor : admin.actor;
  const request = { type: "invoice", due_at, expires_at, amount: 1000 } as const;
  const { payment, token } = await ask(world, member.actor, request);
  const part = { type: "payment", amount: 400, currency: "EUR", payment_id: payment.payment_id } as const;
  const { transaction_id } = await world.call(createTransaction, member.actor, part);
  await world.call(createTransaction, member.actor, { type: "refund", parent_transaction_id: transaction_id, amount });
  const tabs = async () => {
    const { open, paid, expired, all, overdue } = await world.call(countPayments, reader, {});
    for (const [tab, count] of Object.entries({ open, paid, expired })) {
      const filters = filtersOfTab[tab as "open"] as PaymentQuery;
      const { data } = await world.call(listPaymentRequests, reader, filters);
      expect([tab, data.length]).toEqual([tab, count]);
    }
    expect((await world.call(listPaymentRequests, reader, { overdue: true })).data).toHaveLength(overdue);
    const { currencies } = await world.call(overviewFigures, reader, { days: 7, timezone: "UTC" });
    return { open, paid, expired, all, overdue, due: currencies[0]?.open };
  };
  const open = { open: 1, paid: 0, expired: 0, all: 1, due: { amount: 600, count: 1 } };
  expect(await tabs()).toEqual({ ...open, overdue: 0 });
  expect(await world.call(overviewAttention, reader, {})).toMatchObject({ expiring: 0 });
  world.clock.advance(dayMs + 1);
  expect(await tabs()).toEqual({ ...open, overdue: 1 });
  expect(await world.call(overviewAttention, reader, {})).toMatchObject({ expiring: 1 });
  if (amount === 100) {
    await payWith(world, token);
    expect(await tabs()).toEqual({ ...open, open: 0, paid: 1, overdue: 0, due: { amount: 0, count: 0 } });
  }
  world.clock.advance(2 * dayMs);
  const ended = { ...open, open: 0, overdue: 0, due: { amount: 0, count: 0 } };
  expect(await tabs()).toEqual({ ...ended, ...(amount === 100 ? { paid: 1 } : { expired: 1 }) });
});
