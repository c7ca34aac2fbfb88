// The faults that every page names: as many as the lists have that they lead to.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { listInput } from "@/app/_trpc/list-page";
import { type ListShape, readListQuery } from "@/app/_ui/list-query";
import { listShape } from "@/app/dashboard/payment-requests/_parts/list-shape";
import { jobs, mails, payments } from "@/db/tables";
import { deadJobs } from "@/server/domains/jobs/operations/dead";
import { listMails, mailQuery } from "@/server/domains/outbox/operations/list";
import { overviewAttention } from "@/server/domains/overview/operations/attention";
import { paymentQuery } from "@/server/domains/payments/filters";
import { listPaymentRequests } from "@/server/domains/payments/operations/list";
import { overpaidPayments } from "@/server/domains/payments/operations/surplus";
import type { Actor } from "@/server/kit/context";
import { newId } from "@/server/kit/ids";
import { dayMs, limits } from "@/server/kit/limits";
import { anyFailures, askMany, payUse } from "@/test/link-payer";
import { mailNotice } from "@/test/mails";
import { ask, card } from "@/test/payer";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { attentionAddress, faultAddress } from "./home/home-address";

let world: World;
let org: TestOrganization;
beforeAll(async () => {
  world = await openWorld({ ...anyFailures, LINK_USES_PER_IP: "10000" });
});
beforeEach(async () => {
  org = await world.organization();
});
afterAll(() => world.close());

const readAddress = (shape: ListShape, address: string) =>
  readListQuery(shape, Object.fromEntries(new URL(address, "http://x").searchParams));

const requestsAt = async (actor: Actor, address: string) => {
  const input = listInput(paymentQuery, readAddress(listShape, address));
  return (await world.call(listPaymentRequests, actor, input)).total_count;
};

it("counts reusable links with many declined cards, and payers beyond a limit", async () => {
  const { admin, member, other } = org;
  const links = await Promise.all([1, 2].map(() => askMany(world, member.actor, { usage_limit: null })));
  for (const { token } of links) {
    for (let i = 0; i < limits.links.declines; i++) {
      await payUse(world, token, { ...card("4000000000000002"), email: `n${i}@example.com` });
    }
  }
  const { payment_id } = await payUse(world, links[0]?.token ?? "");
  const late = { overLimitAt: world.clock.now() };
  await world.runtime.db.write((tx) => tx.update(payments).set(late).where(eq(payments.id, payment_id)));
  for (const [{ actor }, declines, over] of [
    [admin, 2, 1],
    [member, 2, 1],
    [other, 0, 0],
  ] as const) {
    const found = await world.call(overviewAttention, actor, {});
    expect(found).toMatchObject({ many_declines: declines, over_limit: over });
    expect(await requestsAt(actor, attentionAddress.declines())).toBe(declines);
    expect(await requestsAt(actor, attentionAddress.overLimit())).toBe(over);
  }
});

it("counts all overpaid payment requests, also where not each is named", async () => {
  const { admin, member, other } = org;
  for (let i = 0; i < limits.attention + 2; i++) {
    const { payment } = await ask(world, member.actor, { amount: 500 });
    const id = eq(payments.id, payment.payment_id);
    await world.runtime.db.write((tx) => tx.update(payments).set({ amountOverpaid: 100 }).where(id));
  }
  for (const [{ actor }, count] of [
    [admin, limits.attention + 2],
    [member, limits.attention + 2],
    [other, 0],
  ] as const) {
    expect((await world.call(overpaidPayments, actor, {})).total_count).toBe(count);
    expect(await requestsAt(actor, faultAddress.overpaid())).toBe(count);
  }
});

it("counts failed jobs and the failed mails of the last days", async () => {
  const { actor } = org.admin;
  const at = world.clock.now();
  const rows = [1, 2, 3].map(() => ({ id: newId("job", at), organizationId: org.id, objectId: org.id }));
  const dead = { kind: "payments.lookup", status: "dead", runAt: at, createdAt: at, updatedAt: at } as const;
  await world.runtime.db.write((tx) => tx.insert(jobs).values(rows.map((row) => ({ ...row, ...dead, key: row.id }))));
  const shape = (path: string, filters: readonly string[]): ListShape => ({ path, filters, columns: ["id"] });
  const noticed = await world.call(deadJobs, actor, { limit: 1, include_total: true });
  const jobsAt = readAddress(shape("/dashboard/jobs", []), faultAddress.jobs());
  const listedJobs = await world.call(deadJobs, actor, listInput(deadJobs.input, jobsAt));
  expect([noticed.total_count, listedJobs.total_count, listedJobs.data.length]).toEqual([3, 3, 3]);

  const fail = async () => {
    const { id } = await mailNotice(world, org.id);
    await world.runtime.db.write((tx) => tx.update(mails).set({ status: "failed" }).where(eq(mails.id, id)));
  };
  await fail();
  world.clock.advance(limits.failedMailsShownMs + dayMs);
  for (let i = 0; i < 2; i++) await fail();
  await mailNotice(world, org.id);
  const created_from = new Date(world.clock.now() - limits.failedMailsShownMs).toISOString();
  const counted = await world.call(listMails, actor, {
    status: ["failed"],
    created_from,
    limit: 1,
    include_total: true,
  });
  const mailsAt = readAddress(shape("/dashboard/mails", ["status", "created_from"]), faultAddress.mails(created_from));
  const listed = await world.call(listMails, actor, listInput(mailQuery, mailsAt));
  expect([counted.total_count, listed.total_count, listed.data.length]).toEqual([2, 2, 2]);
});
