// Completing the search words of an earlier version, which kept accents.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accounts, jobs, paymentWords, transactionWords, users } from "@/db/tables";
import { listAccounts } from "@/server/domains/accounts/operations/list";
import { createPayment } from "@/server/domains/payments/operations/create";
import { listPaymentRequests } from "@/server/domains/payments/operations/list";
import { listTransactions } from "@/server/domains/transactions/operations/list";
import { listUsers } from "@/server/domains/users/operations/list";
import { dayMs, hourMs } from "@/server/kit/limits";
import { runJobsOnce } from "@/test/jobs";
import { create } from "@/test/money";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { foldWords } from "./fold-words";

let world: World;
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  acme = await world.organization();
});
afterAll(() => world.close());

/** Everything that the admin finds by the word. */
async function found(q: string): Promise<number[]> {
  const { actor } = acme.admin;
  const lists = await Promise.all([
    world.call(listPaymentRequests, actor, { q, include_total: true }),
    world.call(listTransactions, actor, { q, include_total: true }),
    world.call(listAccounts, actor, { q, include_total: true }),
    world.call(listUsers, actor, { q, include_total: true }),
  ]);
  return lists.map((list) => list.total_count ?? -1);
}

/** Leaves of one record of each kind what the earlier version wrote: `grégoire` and not `gregoire`. */
async function forget(): Promise<void> {
  const plain = "gregoire";
  await world.runtime.db.write(async (tx) => {
    await tx.delete(paymentWords).where(eq(paymentWords.word, plain));
    await tx.delete(transactionWords).where(eq(transactionWords.word, plain));
    await tx
      .update(accounts)
      .set({ name: "Grégoire", searchText: " grégoire" })
      .where(eq(accounts.id, acme.member.accountId));
    await tx.update(users).set({ name: "Grégoire", searchText: " grégoire" }).where(eq(users.id, acme.member.id));
  });
}

async function populate(): Promise<void> {
  const texts = { amount: 500, currency: "EUR", description: "Grégoire" };
  await world.call(createPayment, acme.member.actor, { type: "product", ...texts });
  await create(world, acme.member.actor, { type: "payment", ...texts });
  await forget();
}

const never = new AbortController().signal;

describe("records of an earlier version", () => {
  it("are found with accents at once, and without once the job has reached them", async () => {
    await populate();
    expect(await found("GRÉG")).toEqual([1, 1, 1, 1]);
    expect(await found("greg")).toEqual([0, 0, 0, 0]);
    const { db } = world.runtime;
    // The job as the migration inserts it.
    const job = { id: `job_${acme.id.slice(4)}`, kind: "search.fold", key: `search.fold:${acme.id}` };
    const times = { runAt: 0, createdAt: 0, updatedAt: 0 };
    const ids = { organizationId: acme.id, objectId: acme.id };
    await db.write((tx) => tx.insert(jobs).values({ ...job, ...ids, ...times, status: "waiting", priority: 1 }));
    await runJobsOnce(world);
    expect(await found("greg")).toEqual([1, 1, 1, 1]);
    expect(await found("Grégoire")).toEqual([1, 1, 1, 1]);

    // A process of the earlier version writes on; the job looks again after an hour, and after a day.
    for (const pause of [hourMs, dayMs]) {
      await forget();
      world.clock.advance(pause / 2);
      await runJobsOnce(world);
      expect(await found("greg")).toEqual([0, 0, 0, 0]);
      world.clock.advance(pause / 2);
      while ((await runJobsOnce(world)) > 0) world.clock.advance(1);
      expect(await found("greg")).toEqual([1, 1, 1, 1]);
    }
    expect(await db.read.$count(jobs, eq(jobs.kind, "search.fold"))).toBe(0);
  });

  it("continue where a run ended, and change nothing that was written meanwhile", async () => {
    await forget();
    const saved = { pass: 1, part: 1, after: "" };
    const later = await foldWords(world.runtime, acme.id, never, saved);
    expect(await found("greg")).toEqual([1, 1, 0, 1]);
    expect(later?.progress).toEqual({ pass: 2, part: 0, after: "" });
    await foldWords(world.runtime, acme.id, AbortSignal.abort(), null);
    expect(await found("greg")).toEqual([1, 1, 0, 1]);
  });
});

describe("a search for a word with accents", () => {
  it("finds each record once, stored with or without them", async () => {
    const own = (q: string) => found(q).then(([inPayments, inTransactions]) => [inPayments, inTransactions]);
    const texts = { amount: 500, currency: "EUR" };
    for (const description of ["Müller", "MULLER", "Mu\u0308ller müller Muller", "Straße", "STRASSE"]) {
      await world.call(createPayment, acme.member.actor, { type: "product", ...texts, description });
      await create(world, acme.member.actor, { type: "payment", ...texts, description });
    }
    for (const q of ["müller", "muller", "MÜL", "mul"]) expect([q, await own(q)]).toEqual([q, [3, 3]]);
    for (const q of ["straße", "STRASSE", "stras"]) expect([q, await own(q)]).toEqual([q, [2, 2]]);
  });
});
