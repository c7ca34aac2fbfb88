// Payers who answer one confirmation many times at once: it takes back one failure and counts as one payment.
import { like } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { throttles } from "@/db/tables";
import { Failure } from "@/server/kit/errors";
import { askMany, payUse } from "@/test/link-payer";
import { anyone, card, tokenOf } from "@/test/payer";
import { openWorld, type World } from "@/test/world";
import { answerChallenge } from "../operations/challenge";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const ip = "203.0.113.5";

/** How one attempt through the link ends: with its confirmation's reference, "declined", or the code of the refusal. */
const attempt = (token: string, number: string, email: string): Promise<string> =>
  payUse(world, token, { ...card(number), email }, { ip }).then(
    ({ action_url: url }) => (url === null ? "declined" : tokenOf(url)),
    (error: unknown) => {
      if (error instanceof Failure) return error.code;
      throw error;
    },
  );

it("a confirmation that is answered many times at once takes back one failure, and counts as one payment", async () => {
  const { member } = await world.organization();
  const { token } = await askMany(world, member.actor, { usage_limit: null });
  const { payFailuresPerLink } = world.runtime.env;
  const tryCards = async (count: number): Promise<string[]> => {
    const results: string[] = [];
    for (let i = 0; i < count; i++) results.push(await attempt(token, "4000000000000002", `p${i}@example.com`));
    return results;
  };
  const reference = await attempt(token, "4000002760003184", "payer@example.com");
  const failures = Array<string>(payFailuresPerLink - 1).fill("declined");
  expect(await tryCards(payFailuresPerLink)).toEqual([...failures, "rate_limited"]);
  const confirm = () => world.call(answerChallenge, anyone, { reference, answer: "complete" }, { ip });
  await Promise.all(Array.from({ length: 8 }, confirm));
  expect(await tryCards(3)).toEqual(["declined", "rate_limited", "rate_limited"]);
  const payments = await world.runtime.db.read
    .select()
    .from(throttles)
    .where(like(throttles.bucket, "link-payments:%"));
  expect(payments.map(({ count }) => count)).toEqual([1]);
});
