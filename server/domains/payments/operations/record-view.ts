// Records that the customer has seen the pay page. The visible page itself reports it, because programs such as mail
// scanners open links too.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { isFormToken, payFormKind } from "../form-token";
import { findLinked } from "../linked";
import { refreshPayment } from "../refresh";
import { lockPayment } from "../store";

export const recordView = operation({
  id: "payments.recordView",
  summary: "Record the first view of a pay page",
  access: rules["pay.link"],
  effect: "write",
  idempotent: false,
  input: z.strictObject({
    token: z.string().max(limits.linkToken),
    /** The token of the page's pay form. */
    form_token: z.string().max(limits.linkToken),
  }),
  output: z.strictObject({ payment_id: z.string() }),
  errors: { payment_not_found: 404, form_expired: 400 },
  async run({ ctx: call, input, fail }) {
    const { ctx, payment } = (await findLinked(call, input.token)) ?? fail("payment_not_found");
    const kind = payFormKind(payment);
    if (!isFormToken(ctx.runtime.keys, kind, payment.id, input.form_token, ctx.realNow)) return fail("form_expired");
    const locked = await lockPayment(ctx.db, payment.id);
    // A page that was opened before the end tells nothing any more.
    if (locked?.viewedAt === null && locked.canceledAt === null)
      await refreshPayment(ctx, payment.id, { viewedAt: ctx.now });
    ctx.audit({ target: payment.id, organizationId: payment.organizationId });
    return { payment_id: payment.id };
  },
});
