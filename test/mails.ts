// Mails in tests: a notice to a user, written as the product writes it.
import { enqueueMail } from "@/server/domains/mails/enqueue";
import type { MailRow } from "@/server/domains/mails/store";
import { inBackground } from "@/server/domains/records/in-background";
import { newEmail } from "./people";
import type { World } from "./world";

/** Writes a notice to a user of the organization. */
export const mailNotice = ({ runtime }: Pick<World, "runtime">, organizationId: string): Promise<MailRow> =>
  inBackground(runtime, "test", async (ctx) => {
    ctx.audit({ target: null, organizationId });
    const data = { notice: "api_key_created", at: ctx.now, subject: "Shop" } as const;
    const to = newEmail();
    return enqueueMail(ctx, {
      kind: "security_notice",
      organizationId,
      to,
      locales: [],
      timezone: null,
      link: null,
      data,
    });
  });
