// Strangers who try cards on a reusable link: slowed down by link, address and neighborhood, without closing the link.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createCustomer } from "@/server/domains/customers/operations/create";
import { updateCustomerFields } from "@/server/domains/customers/operations/update";
import { Failure } from "@/server/kit/errors";
import { dayMs, hourMs, limits, minuteMs } from "@/server/kit/limits";
import { eventTypesOf } from "@/test/events";
import { pass } from "@/test/jobs";
import { askMany, payUse } from "@/test/link-payer";
import { anyone, card, tokenOf } from "@/test/payer";
import { openWorld, type TestUser, type World } from "@/test/world";
import { answerChallenge, viewChallenge } from "../operations/challenge";
import { listPaymentRequests } from "../operations/list";
import { viewPayment } from "../operations/view";

let world: World;
let member: TestUser;
let link: { id: string; token: string };
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  world.clock.advance(2 * hourMs);
  member = (await world.organization()).member;
  link = await anotherLink();
});
afterAll(() => world.close());

async function anotherLink(fields: object = {}) {
  const { payment, token } = await askMany(world, member.actor, { usage_limit: null, ...fields });
  return { id: payment.payment_id, token };
}

const bad = card("4000000000000002");

/** How one attempt with a declined or a good card ends: "tried" if the provider was asked, else the refusal. */
const attempt = (ip: string, typed: object = bad, { token } = link): Promise<string> =>
  payUse(world, token, typed, { ip }).then(
    () => "tried",
    (error: unknown) => {
      if (error instanceof Failure) return error.code;
      throw error;
    },
  );

/** As many declines as slow the link, each from a neighborhood of its own. */
async function slowDown(): Promise<void> {
  for (let i = 0; i < limits.links.declines; i++) expect(await attempt(`10.${i}.0.1`)).toBe("tried");
  world.clock.advance(minuteMs);
}

it("an address may fail ten times an hour on a link, whichever uses that makes", async () => {
  const results: string[] = [];
  for (let i = 0; i < 12; i++) results.push(await attempt("203.0.113.5"));
  expect(results).toEqual([...Array(10).fill("tried"), "rate_limited", "rate_limited"]);
  expect(await attempt("203.0.113.5", {}, await anotherLink())).toBe("tried");
  expect(await attempt("203.0.113.6")).toBe("tried");
});

it("forty addresses of one neighborhood that try four cards each reach the provider exactly as often as the limit says, and write nothing more", async () => {
  let tried = 0;
  for (let round = 0; round < 4; round++) {
    for (let i = 1; i <= 40; i++) if ((await attempt(`127.1.0.${i}`)) === "tried") tried++;
    world.clock.advance(minuteMs);
  }
  expect(tried).toBe(limits.links.declines);
  const { data } = await world.call(listPaymentRequests, member.actor, { parent_payment_id: link.id, limit: 100 });
  expect(data).toHaveLength(tried);
});

it("addresses in other neighborhoods still get in, each with one failure, and a few of them in a minute", async () => {
  await slowDown();
  expect(await attempt("192.0.2.1", {})).toBe("tried");
  const first = [];
  for (let i = 0; i < 7; i++) first.push(await attempt(`172.16.${i}.1`));
  expect(first).toEqual([...Array(limits.links.slow.perMinute).fill("tried"), "rate_limited", "rate_limited"]);
  world.clock.advance(minuteMs);
  expect(await attempt("172.16.0.1")).toBe("rate_limited");
  expect(await attempt("172.16.6.1")).toBe("tried");
  world.clock.advance(hourMs);
  expect(await attempt("172.16.0.1", {})).toBe("tried");
});

it("the addresses of an IPv6 /48 share their failures", async () => {
  await slowDown();
  const results = [];
  for (let i = 0; i < limits.links.slow.neighborhood + 1; i++) {
    results.push(await attempt(`2001:db8:1:${i}::1`));
    world.clock.advance(minuteMs / 2);
  }
  expect(results).toEqual([...Array(limits.links.slow.neighborhood).fill("tried"), "rate_limited"]);
  expect(await attempt("2001:db8:2::1")).toBe("tried");
});

it("who has paid through the link before is not slowed down, nor anybody on another link", async () => {
  expect(await attempt("192.0.2.9", {})).toBe("tried");
  await slowDown();
  for (let i = 0; i < 3; i++) expect(await attempt("192.0.2.9")).toBe("tried");
  const other = await anotherLink();
  for (let i = 0; i < 3; i++) expect(await attempt("192.0.2.10", bad, other)).toBe("tried");
});

it("one card that pays from many addresses of a neighborhood buys a bounded number of failures", async () => {
  const addresses = Array.from({ length: 10 }, (_, i) => `2001:db8:7:${i}::1`);
  for (const [i, ip] of addresses.entries())
    expect(await attempt(ip, { email: `payer${i}@example.com` })).toBe("tried");
  const results: string[] = [];
  for (const ip of addresses) for (let i = 0; i < 10; i++) results.push(await attempt(ip));
  expect(triedOf(results)).toBe(2 * perNeighborhood * world.runtime.env.payFailuresPerLink);
});

it("strangers who use up what their neighborhood may fail do not stop who has paid before", async () => {
  expect(await attempt("192.0.2.250", {})).toBe("tried");
  const results: string[] = [];
  for (let i = 0; i < 40; i++) results.push(await leaveOpen(`192.0.2.${i}`, `p${i}@example.com`));
  expect(triedOf(results)).toBe(perNeighborhood * world.runtime.env.payFailuresPerLink);
  const known: string[] = [];
  for (let i = 0; i < 11; i++) known.push(await attempt("192.0.2.250"));
  expect(triedOf(known)).toBe(world.runtime.env.payFailuresPerLink);
});

it("a payer is known for thirty days after the last payment", async () => {
  link = await anotherLink({ expires_at: new Date(world.clock.now() + 100 * dayMs).toISOString() });
  for (const [days, email] of [
    [0, "first"],
    [20, "second"],
  ] as const) {
    world.clock.advance(days * dayMs);
    expect(await attempt("192.0.2.9", { email: `${email}@example.com` })).toBe("tried");
  }
  const tries = async () => {
    await slowDown();
    return [await attempt("192.0.2.9"), await attempt("192.0.2.9")];
  };
  world.clock.advance(29 * dayMs);
  expect(await tries()).toEqual(["tried", "tried"]);
  world.clock.advance(dayMs);
  expect(await tries()).toEqual(["tried", "rate_limited"]);
});

it("a payment that succeeds on a slowed link counts as no failure", async () => {
  await slowDown();
  for (let i = 0; i < 2 * limits.links.slow.perMinute; i++) {
    expect(await attempt(`192.0.2.${i + 20}`, { email: `p${i}@example.com` })).toBe("tried");
  }
});

it("the page of a payer does not tell the language of the customer whose address was typed", async () => {
  const email = "camille@example.com";
  const { customer_id } = await world.call(createCustomer, member.actor, { name: "Camille", email });
  await world.call(updateCustomerFields, member.actor, { customer_id, locale: "fr" });
  const localesFor = async (address: string) => {
    const { payment_url } = await payUse(world, link.token, { ...bad, email: address });
    return (await world.call(viewPayment, { type: "anonymous" }, { token: tokenOf(payment_url) })).locales;
  };
  const known = await localesFor(email);
  expect(known).not.toContain("fr");
  expect(known).toEqual(await localesFor("nobody@example.com"));
});

it("nor does the page on which the payer confirms it", async () => {
  const email = "chloe@example.com";
  const { customer_id } = await world.call(createCustomer, member.actor, { name: "Chloé", email });
  await world.call(updateCustomerFields, member.actor, { customer_id, locale: "fr" });
  const localesFor = async (address: string) => {
    const open: string[] = [];
    await leaveOpen("192.0.2.77", address, open);
    return (await world.call(viewChallenge, anyone, { reference: open[0] ?? "" })).locales;
  };
  const known = await localesFor(email);
  expect(known).not.toContain("fr");
  expect(known).toEqual(await localesFor("nobody@example.com"));
});

/** How one attempt with a card ends whose bank asks for a confirmation. Adds the confirmation to `open`. */
async function leaveOpen(ip: string, email: string, open: string[] = []): Promise<string> {
  const used = await payUse(world, link.token, { ...card("4000002760003184"), email }, { ip }).catch(
    (error: unknown) => {
      if (error instanceof Failure) return error.code;
      throw error;
    },
  );
  if (typeof used === "string") return used;
  open.push(tokenOf(used.action_url));
  return "tried";
}

const confirm = (reference: string, ip: string) =>
  world.call(answerChallenge, anyone, { reference, answer: "complete" }, { ip });

const triedOf = (results: readonly string[]): number => results.filter((result) => result === "tried").length;

const { unconfirmedOnLink, perNeighborhood } = limits.links;

it("a neighborhood that leaves two hundred confirmations open reaches the provider as often as it may fail", async () => {
  const results: string[] = [];
  for (let i = 0; i < 200; i++) results.push(await leaveOpen(`198.51.100.${i % 40}`, `p${i}@example.com`));
  expect(triedOf(results)).toBe(perNeighborhood * world.runtime.env.payFailuresPerLink);
  expect(await leaveOpen("203.0.113.1", "elsewhere@example.com")).toBe("tried");
});

it("confirmations that one address leaves open count like declines, and those that it gives do not", async () => {
  const { payFailuresPerLink } = world.runtime.env;
  const open: string[] = [];
  for (let i = 0; i < payFailuresPerLink; i++) await leaveOpen("203.0.113.5", `p${i}@example.com`, open);
  expect(await leaveOpen("203.0.113.5", "another@example.com")).toBe("rate_limited");
  for (const reference of open) await confirm(reference, "203.0.113.5");
  for (let i = 0; i < payFailuresPerLink; i++) {
    expect(await leaveOpen("203.0.113.5", `q${i}@example.com`, open)).toBe("tried");
  }
});

it("many confirmations that are open at once slow strangers, until some are given", async () => {
  const open: string[] = [];
  for (let i = 0; i < unconfirmedOnLink; i++) await leaveOpen(`10.1.${i}.1`, `p${i}@example.com`, open);
  expect(open).toHaveLength(unconfirmedOnLink);
  world.clock.advance(minuteMs);
  const next: string[] = [];
  for (let i = 0; i < limits.links.slow.perMinute + 1; i++) {
    next.push(await leaveOpen(`10.2.${i}.1`, `q${i}@example.com`, open));
  }
  expect(next).toEqual([...Array(limits.links.slow.perMinute).fill("tried"), "rate_limited"]);
  for (const [i, reference] of open.slice(0, 10).entries()) await confirm(reference, `10.1.${i}.1`);
  expect(await leaveOpen("10.2.9.1", "late@example.com")).toBe("tried");
});

it("confirmations that nobody gave in time slow strangers too, and are announced", async () => {
  for (let i = 0; i < unconfirmedOnLink; i++) await leaveOpen(`10.3.${i}.1`, `p${i}@example.com`);
  expect(await eventTypesOf(world, link.id)).not.toContain("payment.many_declines");
  await pass(world, limits.charge.confirmMs + minuteMs);
  expect(await eventTypesOf(world, link.id)).toContain("payment.many_declines");
  expect(await leaveOpen("10.4.0.1", "q@example.com")).toBe("tried");
  expect(await leaveOpen("10.4.0.1", "r@example.com")).toBe("rate_limited");
  expect(await attempt("10.5.0.1", {})).toBe("tried");
});

it("one address and one neighborhood make so many payments an hour, and no others are held up", async () => {
  const own = { world, link };
  world = await openWorld({ LINK_USES_PER_IP: "5" });
  member = (await world.organization()).member;
  link = await anotherLink();
  const paid: number[] = [];
  for (let address = 0; address <= perNeighborhood; address++) {
    const email = (i: number) => ({ email: `${address}.${i}@example.com` });
    const results: string[] = [];
    for (let i = 0; i < 6; i++) results.push(await attempt(`192.0.2.${address}`, email(i)));
    paid.push(triedOf(results));
  }
  expect(paid).toEqual([...Array(perNeighborhood).fill(5), 0]);
  expect(await attempt("198.51.100.1", {})).toBe("tried");
  expect(await attempt("192.0.2.0", {}, await anotherLink())).toBe("tried");
  world.clock.advance(hourMs);
  expect(await attempt("192.0.2.0", {})).toBe("tried");
  await world.close();
  ({ world, link } = own);
});

it("confirmations that are not given slow nobody while more payments are made", async () => {
  const paid = unconfirmedOnLink + 5;
  for (let i = 0; i < paid; i++) expect(await attempt(`10.6.${i}.1`, { email: `p${i}@example.com` })).toBe("tried");
  for (let i = 0; i < paid; i++) expect(await leaveOpen(`10.7.${i}.1`, `q${i}@example.com`)).toBe("tried");
  expect(await leaveOpen("10.8.0.1", "r@example.com")).toBe("rate_limited");
});

it("nor while the payments of the last hour are as many, whenever that hour began", async () => {
  const paid = unconfirmedOnLink + 5;
  for (let i = 0; i < paid; i++) expect(await attempt(`10.6.${i}.1`, { email: `p${i}@example.com` })).toBe("tried");
  world.clock.advance(50 * minuteMs);
  for (let i = 0; i < paid - 2; i++) expect(await leaveOpen(`10.7.${i}.1`, `q${i}@example.com`)).toBe("tried");
  world.clock.advance(9 * minuteMs + 59_000);
  expect(await leaveOpen("10.8.0.1", "r@example.com")).toBe("tried");
  world.clock.advance(2_000);
  expect(await leaveOpen("10.8.0.1", "s@example.com")).toBe("tried");
});

it("a confirmation that is given later takes no other attempt out of the pace", async () => {
  const later = 8;
  const open: string[] = [];
  for (let i = 0; i < unconfirmedOnLink; i++) await leaveOpen(`10.1.${i}.1`, `p${i}@example.com`, open);
  for (let i = 0; i < later; i++) {
    world.clock.advance(minuteMs / 2);
    if (i === 0) world.clock.advance(minuteMs);
    await leaveOpen(`10.2.${i}.1`, `q${i}@example.com`, open);
  }
  expect(open).toHaveLength(unconfirmedOnLink + later);
  world.clock.advance(minuteMs);
  let tried = 0;
  for (let i = 0; i < later; i++) {
    if ((await attempt(`10.9.${i}.1`)) === "tried") tried++;
    await confirm(open.pop() ?? "", `10.2.${later - 1 - i}.1`);
  }
  expect(tried).toBe(limits.links.slow.perMinute);
});
