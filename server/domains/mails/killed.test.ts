// A worker that is killed after the server accepted a mail and before this is recorded: the same mail is sent again.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { mails } from "@/db/tables";
import { ageJobLeases } from "@/test/job-leases";
import { runJobs } from "@/test/jobs";
import { startWorker } from "@/test/killed-worker";
import { headerOf, type MailServer, startMailServer } from "@/test/mail-server";
import { anotherProcess, openWorld, type World } from "@/test/world";
import { inBackground } from "../records/in-background";
import { enqueueMail } from "./enqueue";

const settings = { MAIL_FROM: "mail@example.com" };

let server: MailServer;
let world: World;
beforeAll(async () => {
  server = await startMailServer();
  world = await openWorld({ ...settings, SMTP_URL: server.url });
});
afterAll(async () => {
  await world.close();
  await server.close();
});

it("delivers at least once, with one Message-ID", async () => {
  const organization = await world.organization();
  const worker = await startWorker(world, { ...settings, SMTP_URL: server.url });
  const taken: (string | undefined)[] = [];
  server.onMessage = async (mail) => {
    taken.push(headerOf(mail, "Message-ID"));
    worker.kill();
    await worker.ended;
  };
  const clock = { now: () => Date.now() + 3_600_000 };
  const later = await anotherProcess(world, { clock });
  const row = await inBackground(
    { ...later.runtime, clock: { now: () => Date.now() - 60_000 } },
    "test",
    async (ctx) => {
      ctx.audit({ target: null, organizationId: organization.id });
      const { id: organizationId } = organization;
      const notice = { notice: "admin_added", at: ctx.now } as const;
      const to = "grace@example.com";
      return enqueueMail(ctx, {
        kind: "security_notice",
        organizationId,
        to,
        locales: [],
        timezone: null,
        link: null,
        data: notice,
      });
    },
  );
  await worker.ended;
  expect(taken).toEqual([row.messageId]);
  expect(await stateOf(row.id)).toMatchObject({ status: "queued", attempts: 0 });
  server.onMessage = (mail) => void taken.push(headerOf(mail, "Message-ID"));
  await ageJobLeases(world, 60_000);
  await runJobs({ ...later, clock: world.clock });
  expect(taken).toEqual([row.messageId, row.messageId]);
  expect(await stateOf(row.id)).toMatchObject({ status: "sent", attempts: 1 });
  await later.close();
});

async function stateOf(id: string) {
  const [row] = await world.runtime.db.read.select().from(mails).where(eq(mails.id, id));
  return row;
}
