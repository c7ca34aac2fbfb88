// Marks a request for a new link as done, so that it no longer needs attention.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { operation } from "@/server/kit/operation";
import { hasAskedForLink } from "../asked";
import { paymentId } from "../schema";
import { findPayment, lockPayment, updatePayment } from "../store";

export const dismissLinkRequest = operation({
  id: "payments.dismissLinkRequest",
  summary: "Mark a request for a new link as done",
  description: "Nothing is sent, and the customer may ask again. Without a request that waits, nothing changes.",
  access: rules["attention.dismiss"],
  time: "organization",
  effect: "write",
  input: z.strictObject({ payment_id: paymentId }),
  output: z.strictObject({ payment_id: z.string(), dismissed: z.boolean() }),
  errors: { insufficient_permissions: 400, payment_not_found: 400 },
  async run({ ctx, input, fail }) {
    const seen = (await findPayment(ctx.db, ctx.scope, input.payment_id)) ?? fail("payment_not_found");
    const row = (await lockPayment(ctx.db, seen.id)) ?? fail("payment_not_found");
    const dismissed = hasAskedForLink(row);
    if (dismissed) await updatePayment(ctx.db, row.id, { linkAnsweredAt: ctx.now });
    ctx.audit({ target: row.id, detail: { dismissed } });
    return { payment_id: row.id, dismissed };
  },
});
