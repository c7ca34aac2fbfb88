// What must hold when a life has come to rest: we agree with the provider, nothing is open, and no repetition matters.
import { getPayment } from "@/server/domains/payments/operations/get";
import { getTransaction } from "@/server/domains/transactions/operations/get";
import { dayMs } from "@/server/kit/limits";
import { runJobs } from "../jobs";
import { refusalOf, type TestOrganization, type World } from "../world";
import { checkErasedValues } from "./erasure";
import { type Facts, readFacts } from "./facts";
import { checkLists } from "./lists";
import { checkMoney } from "./money";
import type { Scene } from "./scene";
import { checkStored } from "./stored-cards";
import { must, mustEqual } from "./violation";

/** On average the lists of one life in this many are checked, because that takes as long as many steps. */
const livesPerLists = 4;

/** Throws a Violation unless everything has ended as it must. */
export async function checkEnd(world: World, scene: Scene, facts: Facts, choose: () => number): Promise<void> {
  checkAgreement(facts);
  await checkRepetitions(world, scene, choose);
  await checkTenants(world, facts);
  if (scene.erased.size > 0) await checkErasedValues(world, scene, await readFacts(world, scene.acme.id));
  const drawn = choose();
  if (drawn % livesPerLists === 1) await checkLists(world, scene, await readFacts(world, scene.acme.id), drawn);
}

/** Our rows agree with the provider about every charge and refund, and nothing is open. */
function checkAgreement(facts: Facts): void {
  const charges = new Map(facts.charges.map((one) => [one.idempotencyKey, one]));
  for (const row of facts.transactions) {
    const { id, type, provider, status, amountCaptured, providerReference } = row;
    must(!/^(pending|processing|requires_action|authorized)$/.test(status), "7", `${id} is still ${status}`);
    if (provider === null) continue;
    const charge = charges.get(id);
    mustEqual(providerReference, charge?.reference ?? null, "13", `${id} reference of the provider`);
    if (type === "refund") mustEqual(status, charge?.status, "13", `${id} status at the provider`);
    else mustEqual(amountCaptured, charge?.amountCaptured ?? 0, "13", `${id} minor units taken by the provider`);
    const dispute = (charge?.outcome as { dispute?: { status: string; amount: number } } | undefined)?.dispute;
    const disputed = dispute && dispute.status !== "won" ? dispute.amount : 0;
    const found = [row.disputeStatus, row.amountDisputed];
    mustEqual(found, [dispute?.status ?? "none", disputed], "13", `${id} dispute at the provider`);
  }
  checkStored(facts);
  // What papers say about an erased customer is kept for years.
  const left = facts.jobs.filter(({ kind }) => kind !== "customers.erase_papers");
  mustEqual(
    left.map(({ kind, objectId }) => `${kind} ${objectId}`),
    [],
    "21",
    "jobs that are left",
  );
}

/** So many of the provider's reports are repeated concurrently in the end. */
const repeatedAtOnce = 2;

/** Invariant 13: the provider's reports, each delivered and then some repeated concurrently, change nothing. */
async function checkRepetitions(world: World, scene: Scene, choose: () => number): Promise<void> {
  const all = Array.from({ length: scene.reported }, (_, which) => which);
  // A report that has never arrived is news: it may record the hold of a charge that is known to be canceled.
  for (const which of all) await scene.report(world, which);
  world.clock.advance(dayMs);
  await runJobs(world);
  const facts = await readFacts(world, scene.acme.id);
  checkMoney(facts);
  checkAgreement(facts);
  await Promise.all(all.slice(0, repeatedAtOnce).map(() => scene.report(world, choose())));
  const after = await readFacts(world, scene.acme.id);
  for (const name of ["payments", "transactions", "lines", "events"] as const) {
    mustEqual(after[name], facts[name], "13", `${name} after the provider repeated itself`);
  }
}

/** Another organization of each world. */
const neighbors = new WeakMap<World, Promise<TestOrganization>>();

async function neighborIn(world: World): Promise<TestOrganization> {
  const neighbor = neighbors.get(world) ?? world.organization("Elsewhere");
  neighbors.set(world, neighbor);
  return neighbor;
}

/** Invariant 24: nobody else finds the organization's objects. */
async function checkTenants(world: World, { payments, transactions }: Facts): Promise<void> {
  const { admin } = await neighborIn(world);
  for (const { id } of payments.slice(0, 1)) {
    const code = await refusalOf(world.call(getPayment, admin.actor, { payment_id: id }));
    mustEqual(code, "payment_not_found", "24", `${id} seen from elsewhere`);
  }
  for (const { id } of transactions.slice(0, 1)) {
    const code = await refusalOf(world.call(getTransaction, admin.actor, { transaction_id: id }));
    mustEqual(code, "transaction_not_found", "24", `${id} seen from elsewhere`);
  }
}
