// The logo of an account: set, replaced, removed and served; who may, and concurrent uploads.
import { eq } from "drizzle-orm";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { accountLogos, auditEntries, events, sessionTokens } from "@/db/tables";
import { limits } from "@/server/kit/limits";
import { closeAccountOf } from "@/test/closing";
import { askHosted } from "@/test/hosted";
import { ask } from "@/test/payer";
import { apiKey } from "@/test/people";
import { bearer, callWith, signInAs } from "@/test/signing-in";
import { openWorld, refusalOf, type TestOrganization, type TestUser, type World } from "@/test/world";
import { getAccount } from "./get";
import { setLogo } from "./set-logo";
import { updateAccount } from "./update";

/** Holds the next image before it is decoded: `reached` is called when it is there, and it goes on after `until`. */
const gate = vi.hoisted(() => ({ next: null as { reached: () => void; until: Promise<unknown> } | null }));
vi.mock("../logo-image", async (original) => {
  const { readLogo } = await original<typeof import("../logo-image")>();
  return {
    async readLogo(file: Buffer, caller: string) {
      const { next } = gate;
      gate.next = null;
      next?.reached();
      await next?.until;
      return readLogo(file, caller);
    },
  };
});

let world: World;
let org: TestOrganization;
let foreign: TestOrganization;
let user: TestUser;
/** Two images that no other test has. */
let red: string;
let blue: string;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
  foreign = await world.organization("Globex");
});
beforeEach(async () => {
  user = await world.user(org.id);
  images++;
  [red, blue] = await Promise.all([imageOf({ r: 255, g: images, b: 0 }), imageOf({ r: 0, g: images, b: 255 })]);
});
afterAll(() => world.close());

let images = 0;
async function imageOf(background: { r: number; g: number; b: number }): Promise<string> {
  const image = sharp({ create: { width: 60, height: 20, channels: 3, background } });
  return (await image.png().toBuffer()).toString("base64");
}

const set = (image: string | null, { actor }: TestUser = user, accountId = user.accountId) =>
  world.call(setLogo, actor, { account_id: accountId, image });

/** The path of the logo that the account shows. */
async function pathOf(accountId: string): Promise<string | null> {
  const account = await world.call(getAccount, org.admin.actor, { account_id: accountId });
  const url = account.preferences.branding.logo_url;
  return url?.slice(world.runtime.env.appUrl.length) ?? null;
}

const rowOf = async (accountId: string) =>
  (await world.runtime.db.read.select().from(accountLogos).where(eq(accountLogos.accountId, accountId)))[0];

it("is shown by the account, the pay page and its receipt, at an address with its hash", async () => {
  const { preferences } = await set(red);
  const path = await pathOf(user.accountId);
  expect(path).toMatch(/^\/logo\/[0-9a-f]{64}\.png$/);
  expect(preferences.branding).toEqual({ color: null, logo_url: world.runtime.env.appUrl + path });
  expect(await rowOf(user.accountId)).toMatchObject({ type: "image/png", width: 60, height: 20 });

  const { token } = await ask(world, user.actor);
  const page = await askHosted(world, "GET", `/pay/${token}`);
  expect(page.body).toContain(`<img class="logo" src="${path}" alt="">`);
  expect(page.headers["Content-Security-Policy"]).toContain("img-src data: 'self';");
  expect((await askHosted(world, "GET", "/pay/none")).headers["Content-Security-Policy"]).toContain("img-src data:;");
});

it("is served as an image and nothing else, to everyone and for good", async () => {
  await set(red);
  const path = (await pathOf(user.accountId)) ?? "";
  const { status, headers, bytes } = await askHosted(world, "GET", path);
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    "Content-Type": "image/png",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Cache-Control": "public, max-age=31536000, immutable",
    ETag: `"${path.slice(6, 70)}"`,
  });
  expect(await sharp(bytes).metadata()).toMatchObject({ format: "png", width: 60, height: 20 });
  const others = [path.replace("png", "jpg"), path.replace(/[0-9a-f]{8}\./, "00000000."), "/logo/x.png", "/logo/"];
  for (const other of others) expect(await askHosted(world, "GET", other)).toMatchObject({ status: 404 });
  expect(await askHosted(world, "POST", path)).toMatchObject({ status: 405 });
});

it("is replaced and removed, and the earlier image is then gone", async () => {
  await set(red);
  const first = (await pathOf(user.accountId)) ?? "";
  await set(blue);
  const second = (await pathOf(user.accountId)) ?? "";
  expect(second).not.toBe(first);
  expect((await askHosted(world, "GET", first)).status).toBe(404);
  const removed = await set(null);
  expect(removed.preferences.branding.logo_url).toBeNull();
  expect((await askHosted(world, "GET", second)).status).toBe(404);
  expect(await rowOf(user.accountId)).toBeUndefined();
});

it("stays while another account has the same image, and when the other preferences are cleared", async () => {
  await set(red);
  await set(red, foreign.member, foreign.member.accountId);
  const path = (await pathOf(user.accountId)) ?? "";
  await set(null, foreign.member, foreign.member.accountId);
  expect((await askHosted(world, "GET", path)).status).toBe(200);
  await world.call(updateAccount, user.actor, { preferences: null });
  await world.call(updateAccount, user.actor, { preferences: { branding: null } });
  expect(await pathOf(user.accountId)).toBe(path);
});

it("is a change of the account, recorded once; the same image again changes nothing", async () => {
  const first = await set(red);
  const again = await set(red);
  expect(again.updated_at).toBe(first.updated_at);
  const { read } = world.runtime.db;
  const emitted = await read.select().from(events).where(eq(events.objectId, user.accountId));
  expect(emitted.map(({ type }) => type)).toEqual(["account.updated"]);
  const entries = await read.select().from(auditEntries).where(eq(auditEntries.targetId, user.accountId));
  const hash = (await rowOf(user.accountId))?.hash;
  expect(entries.map(({ operation, detail }) => [operation, detail?.logo])).toEqual([
    ["accounts.setLogo", hash],
    ["accounts.setLogo", hash],
  ]);
});

it("is set by owners, admins and API keys, of open accounts of their organization", async () => {
  const key = await apiKey(world, org.id, ["accounts:write"]);
  for (const actor of [org.admin.actor, key.actor]) await set(red, { ...user, actor });
  for (const stranger of [org.other, foreign.admin]) {
    expect(await refusalOf(set(red, stranger))).toBe("account_not_found");
  }
  expect(await refusalOf(set(red, await world.user(org.id, "operator")))).toBe("insufficient_permissions");
  await closeAccountOf(world, org.admin.actor, user.accountId);
  expect(await refusalOf(set(red, user))).toBe("account_closed");
  expect(await pathOf(user.accountId)).not.toBeNull();
  await set(null, { ...user, actor: org.admin.actor });
  expect(await pathOf(user.accountId)).toBeNull();
});

it("refuses what is no image or too large, and keeps the logo", async () => {
  await set(red);
  const before = await pathOf(user.accountId);
  expect(await refusalOf(set("not base64"))).toBe("image_unreadable");
  expect(await refusalOf(set(""))).toBe("image_unreadable");
  const tooLarge = Buffer.alloc(limits.logo.bytes + 1).toString("base64");
  expect(await refusalOf(set(tooLarge))).toBe("image_too_large");
  expect(await refusalOf(set("A".repeat(limits.logo.characters + 1)))).toBe("invalid_request");
  expect(await pathOf(user.accountId)).toBe(before);
});

it("is not set for somebody who has signed out while the image waited", async () => {
  const { access_token } = await signInAs(world, user);
  let endSession = () => {};
  const until = new Promise<void>((resolve) => {
    endSession = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    gate.next = { reached: resolve, until };
  });
  const upload = refusalOf(callWith(world, setLogo, bearer(access_token), { account_id: user.accountId, image: red }));
  await reached;
  const { db } = world.runtime;
  await db.write((tx) => tx.delete(sessionTokens));
  endSession();
  expect(await upload).toBe("unauthorized");
  expect(await rowOf(user.accountId)).toBeUndefined();
});

it("is one of two that are set at the same time", async () => {
  await Promise.all([set(red), set(blue)]);
  const row = await rowOf(user.accountId);
  expect(await pathOf(user.accountId)).toBe(`/logo/${row?.hash}.png`);
});

it("may wait for others, but each caller has few that wait", async () => {
  const uploads = await Promise.allSettled(Array.from({ length: 5 }, (_, i) => set(i % 2 ? red : blue)));
  const refused = uploads.filter(({ status }) => status === "rejected");
  expect(refused).toHaveLength(5 - limits.imagesAtOnce.perCaller);
  for (const each of refused) expect((each as PromiseRejectedResult).reason).toMatchObject({ code: "rate_limited" });
});
