// Settings → Mail: which mail server is set up, and a test mail that says what the server answered.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { testMail } from "@/server/domains/mails/test-mail";
import { type Outcome, sendMail } from "@/server/domains/mails/transport";
import { organizationById } from "@/server/domains/organizations/organization";
import { readUser } from "@/server/domains/users/store";
import { bucketOf, reserve } from "@/server/fairness/throttle";
import { userOf } from "@/server/kit/identity";
import { hourMs, limits } from "@/server/kit/limits";
import { operation, saga } from "@/server/kit/operation";

export const mailServer = operation({
  id: "mails.server",
  summary: "The mail server's settings",
  access: rules["mails.server"],
  effect: "read",
  input: z.strictObject({}),
  output: z.strictObject({
    server: z
      .strictObject({
        host: z.string(),
        port: z.int(),
        is_secure: z.boolean().describe("Whether TLS is used from the start; otherwise STARTTLS where offered."),
        has_login: z.boolean(),
        from_name: z.string().nullable(),
        from_address: z.string(),
      })
      .nullable(),
  }),
  errors: { insufficient_permissions: 400 },
  async run({ ctx }) {
    const { mail } = ctx.runtime.env;
    if (mail === null) return { server: null };
    const { host, port, isSecure, login } = mail.server;
    const from = { from_name: mail.from.name, from_address: mail.from.address };
    return { server: { host, port, is_secure: isSecure, has_login: login !== null, ...from } };
  },
});

export const sendTestMail = saga({
  id: "mails.test",
  summary: "Send a test mail to oneself",
  access: rules["mails.test"],
  idempotent: false,
  input: z.strictObject({}),
  output: z.strictObject({ to: z.string(), is_sent: z.boolean(), answer: z.string() }),
  errors: { insufficient_permissions: 400, email_not_verified: 400, mail_server_missing: 400 },
  async begin({ ctx, fail }) {
    const user = await readUser(ctx.db, userOf(ctx.actor)?.userId ?? "");
    if (!user) return fail("insufficient_permissions");
    if (ctx.runtime.env.mail === null) return fail("mail_server_missing");
    const bucket = bucketOf("mail_test", user.id);
    await reserve(ctx.db, ctx.now, [{ bucket, limit: limits.mail.testsPerHour, windowMs: hourMs }]);
    const { name } = await organizationById(ctx.db, user.organizationId);
    ctx.audit({ target: user.id });
    return { intent: { id: ctx.id("mai"), to: user.email, organization: name, locale: user.locale } };
  },
  async perform({ ctx, intent, fail }): Promise<Outcome> {
    const { mail, appUrl } = ctx.runtime.env;
    if (mail === null) return fail("mail_server_missing");
    return sendMail(mail, testMail({ ...intent, appUrl, locales: [intent.locale] }));
  },
  async finish({ ctx, intent, outcome }) {
    ctx.audit({ target: userOf(ctx.actor)?.userId ?? null, detail: { is_sent: outcome.isSent } });
    return { to: intent.to, is_sent: outcome.isSent, answer: outcome.answer };
  },
});
