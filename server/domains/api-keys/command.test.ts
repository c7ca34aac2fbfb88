// An API key that an operator makes on the command line is reported to all admins, like any other.
import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { mails } from "@/db/tables";
import { openWorld } from "@/test/world";
import { createKey } from "./command";

it("mails every admin of the organization, and nobody else", async () => {
  const world = await openWorld();
  const { id, admin } = await world.organization();
  const second = await world.user(id, "admin");
  const options = { name: "Till", scopes: ["payments:read"], account: undefined, expires: undefined };
  expect(await createKey(world.runtime, { ...options, organization: id })).toMatch(/^qtsk_/);
  const sent = await world.runtime.db.read.select().from(mails).where(eq(mails.organizationId, id));
  expect(sent.map(({ userId }) => userId).sort()).toEqual([admin.id, second.id].sort());
  expect(sent.every(({ kind, text }) => kind === "security_notice" && text?.includes("Till"))).toBe(true);
  await world.close();
});
