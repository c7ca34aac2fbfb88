// Wire schemas of API keys: the record, and the inputs of creating, rotating, revoking and listing.
import * as z from "zod";
import { scopes } from "@/server/access/key-scopes";
import { listOfMeanings } from "@/server/access/scope-meanings";
import { id, idOut, instant, listParameters, name, timestamp } from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { plainNetwork } from "@/server/kit/peer";

const { allowedAddresses, overlapHours } = limits;

export const apiKeyId = id("key", "The API key.");

const scope = z.enum(scopes as [string, ...string[]]).meta({
  id: "ApiKeyScope",
  description:
    "What a key may do. The list says the worst that the holder of a key with the scope can do. A key that is bound to an " +
    `account does it to that account only, and cannot have every scope.\n\n${listOfMeanings(scopes)}`,
});

const network = z
  .string()
  .max(allowedAddresses.entry)
  .refine((value) => plainNetwork(value) !== null, "must be an IP address or a network such as 203.0.113.0/24")
  .transform((value) => plainNetwork(value) ?? value);

const expiresAt = instant.meta({
  description: "From then on the key is refused.",
  example: "2027-11-20T00:00:00.000Z",
});

export const createInput = z
  .strictObject({
    name: name.meta({ example: "Till at the bakery" }),
    scopes: z
      .array(scope)
      .min(1)
      .max(scopes.length)
      .meta({ description: "What the key may do.", example: ["payments:read", "payments:write"] }),
    account_id: id("acct", "Binds the key to this account: it sees and does nothing beyond it.").nullish(),
    ip_allow: z
      .array(network)
      .max(allowedAddresses.entries)
      .nullish()
      .meta({
        description: "Addresses and networks that may use the key, in CIDR notation; absent, null or empty for all.",
        example: ["203.0.113.0/24", "2001:db8::7"],
      }),
    expires_at: expiresAt.nullish(),
  })
  .meta({ id: "CreateApiKey" });

export const rotateInput = z
  .strictObject({
    api_key_id: apiKeyId,
    overlap_hours: z.int().min(0).max(overlapHours.longest).default(overlapHours.default).meta({
      description: "How long the previous secret still works; 0 ends it at once. Any older one ends in any case.",
    }),
    expires_at: expiresAt.optional().meta({ description: "A new expiry. It must not be later than the current one." }),
  })
  .meta({ id: "RotateApiKey" });

export const revokeInput = z.strictObject({ api_key_id: apiKeyId });

export const listInput = z.strictObject(listParameters);

export const apiKey = z
  .strictObject({
    api_key_id: idOut("key", "The API key. Rotating it keeps the identifier."),
    name: z.string(),
    prefix: z.string().meta({ description: "The first characters of the secret.", example: "qtsk_4fKd" }),
    last4: z.string().meta({ description: "The last four characters of the secret.", example: "a1b2" }),
    scopes: z.array(z.string()).meta({ example: ["payments:read", "payments:write"] }),
    account_id: idOut("acct", "The only account that it sees; null for the whole organization.").nullable(),
    ip_allow: z.array(z.string()).meta({ description: "Addresses and networks that may use it; empty for all." }),
    expires_at: timestamp.nullable(),
    last_used_at: timestamp.nullable().meta({ description: "Accurate to a minute." }),
    created_by: idOut("usr", "The user who created it, perhaps removed by now.").nullable(),
    created_at: timestamp,
    revoked_at: timestamp.nullable(),
    secret: z.string().nullable().meta({
      description: "The Bearer credential. Only in the response to creating or rotating; null in a replayed response.",
      example: "qtsk_4fKdV8bXqR2mZ7tJwY3nLcHsU9pGaE1oBxQ6iD5kTrN0eS1a2",
    }),
  })
  .meta({ id: "ApiKey", description: "A credential for programs. It belongs to the organization." });

export type ApiKey = z.infer<typeof apiKey>;
