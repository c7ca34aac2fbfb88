// Sets or removes the logo of an account; of a closed account it can only be removed, since receipts still show it. The uploaded image is decoded between two transactions, by another process.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { callerKey, Places } from "@/server/fairness/places";
import { protocolFailure } from "@/server/kit/errors";
import { limits } from "@/server/kit/limits";
import { saga } from "@/server/kit/operation";
import { accountFor, lockedAccount } from "../authorized-account";
import { readLogo } from "../logo-image";
import { deleteLogo, putLogo } from "../logo-store";
import { presentAccount } from "../present";
import { logoPathOf } from "../rules";
import { account, accountId } from "../schema";
import { changeAccount } from "../store";

const places = new Places(limits.imagesAtOnce);

export const setLogo = saga({
  id: "accounts.setLogo",
  summary: "Set the logo of an account",
  access: rules["accounts.update"],
  input: z.strictObject({
    account_id: accountId,
    /** A PNG or JPEG image in base64; null removes the logo. */
    image: z.string().max(limits.logo.characters).nullable(),
  }),
  output: account,
  errors: {
    account_not_found: 400,
    account_closed: 400,
    image_unreadable: 400,
    image_too_large: 400,
    insufficient_permissions: 400,
    invalid_request: 400,
  },
  async begin({ ctx, input, fail }) {
    const find = input.image === null ? lockedAccount : accountFor;
    const { id } = await find(ctx, input.account_id, fail);
    return { intent: { account_id: id } };
  },
  async perform({ ctx, input, fail }) {
    if (input.image === null) return null;
    const release = places.takeFor(ctx, "images");
    try {
      const logo = await readLogo(Buffer.from(input.image, "base64"), callerKey(ctx.actor, ctx.request));
      // The image may have waited long enough for the session to end.
      if (!(await ctx.stillAllowed()))
        throw protocolFailure("unauthorized", undefined, { "WWW-Authenticate": "Bearer" });
      return typeof logo === "string" ? fail(logo) : logo;
    } finally {
      release();
    }
  },
  async finish({ ctx, intent, outcome: logo, fail }) {
    const find = logo === null ? lockedAccount : accountFor;
    const row = await find(ctx, intent.account_id, fail, { lock: "update" });
    const path = logo === null ? null : logoPathOf(logo);
    ctx.audit({ target: row.id, detail: { logo: logo?.hash ?? null } });
    if (path === row.preferences.branding.logo_url) return presentAccount(ctx, row);
    if (logo === null) await deleteLogo(ctx.db, row.id);
    else await putLogo(ctx.db, { ...logo, accountId: row.id, createdAt: ctx.now });
    const branding = { ...row.preferences.branding, logo_url: path };
    const updated = await changeAccount(ctx.db, row, { preferences: { ...row.preferences, branding } }, ctx.now);
    const data = { account_id: row.id, fields: ["preferences"] };
    ctx.emit({ type: "account.updated", object: row.id, accountId: row.id, data });
    return presentAccount(ctx, updated);
  },
});
