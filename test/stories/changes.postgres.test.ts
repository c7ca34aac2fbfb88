// Lists by change while a transaction is open that wrote earlier and commits later, on PostgreSQL.
import { afterAll, beforeAll, expect, it } from "vitest";
import { databaseTime } from "@/db/now";
import { cancelPayment } from "@/server/domains/payments/operations/cancel";
import { listPaymentRequests } from "@/server/domains/payments/operations/list";
import { updatePayment } from "@/server/domains/payments/store";
import { ask } from "@/test/payer";
import { openWorld, type TestOrganization, type World } from "@/test/world";

let world: World;
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  acme = await world.organization();
});
afterAll(() => world.close());

const sleep = (ms: number) => new Promise((resume) => setTimeout(resume, ms));

it("leave out what the open transaction may still precede, and lose none", async () => {
  const updated_from = new Date(await databaseTime(world.runtime.db.read)).toISOString();
  const changes = (cursor: string | null) =>
    world.call(listPaymentRequests, acme.admin.actor, { updated_from, ...(cursor !== null && { cursor }) });
  const newRequest = async () => (await ask(world, acme.member.actor)).payment.payment_id;
  const [late, early] = [await newRequest(), await newRequest()];
  await sleep(50);
  const first = await changes(null);
  expect(first.data).toHaveLength(2);
  let commit = () => {};
  const held = new Promise<void>((resolve) => {
    commit = resolve;
  });
  let noteWritten = () => {};
  const written = new Promise<void>((resolve) => {
    noteWritten = resolve;
  });
  const writing = world.runtime.db.write(async (tx) => {
    await updatePayment(tx, late, { version: 99 });
    noteWritten();
    await held;
  });
  await written;
  await world.call(cancelPayment, acme.admin.actor, { payment_id: early });
  await sleep(50);
  const meanwhile = await changes(first.next_cursor);
  expect(meanwhile.data).toEqual([]);
  commit();
  await writing;
  await sleep(50);
  const after = await changes(meanwhile.next_cursor);
  expect(after.data.map(({ payment_id }) => payment_id)).toEqual([late, early]);
});
