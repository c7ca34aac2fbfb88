// Tables of identity: organizations, accounts, users, API keys.
import { sql } from "drizzle-orm";
import type { Columns } from "../columns";
import { inList } from "./checks";
import type { InvoicePreferences } from "./invoice-values";
import {
  accountStatuses,
  accountTypes,
  afterLostDisputeRules,
  catchUpRules,
  type ListDisplay,
  type ListName,
  logoTypes,
  type Metadata,
  mfaRequirements,
  organizationModes,
  type Preferences,
  type StepUpAmount,
  userRoles,
  userStatuses,
} from "./values";

export function identityTables(k: Columns) {
  const organizations = k.table(
    "organizations",
    {
      id: k.text("id").primaryKey(),
      name: k.text("name").notNull(),
      mode: k.oneOf("mode", [...organizationModes]).notNull(),
      membersRecordPayments: k.boolean("members_record_payments").notNull().default(false),
      /** For accounts that have not chosen their own: an ISO 4217 code, a BCP 47 tag, an IANA time zone. */
      defaultCurrency: k.text("default_currency"),
      locale: k.text("locale"),
      timezone: k.text("timezone"),
      /** What a dashboard session may move in an hour without step-up; null for STEP_UP_AMOUNTS. */
      stepUpAmounts: k.json<StepUpAmount[]>()("step_up_amounts"),
      /** Who must have a second factor. */
      requireMfa: k
        .oneOf("require_mfa", [...mfaRequirements])
        .notNull()
        .default("none"),
      /** Which renewals are charged that became due while the server did not run. */
      catchUp: k
        .oneOf("catch_up", [...catchUpRules])
        .notNull()
        .default("latest"),
      /** What becomes of a subscription of which a dispute took a payment back. */
      afterLostDispute: k
        .oneOf("after_lost_dispute", [...afterLostDisputeRules])
        .notNull()
        .default("wait"),
      /** How many years after the year of its issue an invoice to an erased customer is kept. */
      invoiceRetentionYears: k.integer("invoice_retention_years").notNull().default(10),
      createdAt: k.instant("created_at").notNull(),
    },
    (t) => [k.check("organizations_mode", inList(t.mode, organizationModes))],
  );

  /** The clock of a sandbox organization. A live organization has no row. */
  const sandboxClocks = k.table("sandbox_clocks", {
    organizationId: k
      .text("organization_id")
      .primaryKey()
      .references(() => organizations.id),
    /** How far the organization's time is ahead of real time, in milliseconds. It only grows. */
    offsetMs: k.instant("offset_ms").notNull().default(0),
    /** Whether acts that an advance has made due are still to be carried out. */
    isRunning: k.boolean("is_running").notNull().default(false),
    /** The organization's time before the advance that is, or was last, carried out. No act of it happens earlier. */
    movedFrom: k.instant("moved_from").notNull().default(0),
    /** The real time until which a storm of events keeps others out; null or past while there is none. */
    stormUntil: k.instant("storm_until"),
  });

  const users = k.table(
    "users",
    {
      id: k.text("id").primaryKey(),
      organizationId: k
        .text("organization_id")
        .notNull()
        .references(() => organizations.id),
      accountId: k.text("account_id"),
      email: k.text("email").notNull(),
      /** The case-folded e-mail of an active user; null once removed, so that the address can be used again. */
      emailKey: k.text("email_key"),
      /** When the user verified the address, by a link mailed to it; null until then. */
      emailVerifiedAt: k.instant("email_verified_at"),
      name: k.text("name"),
      /** The case-folded words of name and e-mail, each after a space, for prefix search. */
      searchText: k.text("search_text").notNull(),
      passwordHash: k.text("password_hash"),
      /** Whether somebody else chose the password, and so knows it. */
      hasGivenPassword: k.boolean("has_given_password").notNull().default(false),
      role: k.oneOf("role", [...userRoles]).notNull(),
      /** A BCP 47 language tag; null for what the browser asks for. */
      locale: k.text("locale"),
      /** An IANA time zone; null for that of the browser. */
      timezone: k.text("timezone"),
      /** How the user last chose to see each list of the dashboard. */
      listDisplays: k.json<Partial<Record<ListName, ListDisplay>>>()("list_displays"),
      status: k.oneOf("status", [...userStatuses]).notNull(),
      mfaEnabled: k.boolean("mfa_enabled").notNull().default(false),
      lastLoginAt: k.instant("last_login_at"),
      createdAt: k.instant("created_at").notNull(),
      removedAt: k.instant("removed_at"),
    },
    (t) => [
      k.uniqueIndex("users_email_key").on(t.emailKey),
      k.index("users_page").on(t.organizationId, t.createdAt, t.id),
      k
        .index("users_admins")
        .on(t.organizationId, t.id, t.mfaEnabled)
        .where(sql`${inList(t.role, ["admin"])} and ${t.status} = 'active'`),
      k.index("users_account").on(t.accountId),
      k.check("users_role", inList(t.role, userRoles)),
      k.check("users_status", inList(t.status, userStatuses)),
      k.check("users_removed", sql`(${t.status} = 'removed') = (${t.emailKey} is null)`),
    ],
  );

  const accounts = k.table(
    "accounts",
    {
      id: k.text("id").primaryKey(),
      organizationId: k
        .text("organization_id")
        .notNull()
        .references(() => organizations.id),
      ownerUserId: k.text("owner_user_id").references(() => users.id),
      accountType: k.oneOf("account_type", [...accountTypes]).notNull(),
      name: k.text("name").notNull(),
      email: k.text("email").notNull(),
      emailKey: k.text("email_key").notNull(),
      /** The case-folded words of name and e-mail, each after a space, for prefix search. */
      searchText: k.text("search_text").notNull(),
      preferences: k.json<Preferences>()("preferences").notNull(),
      /** Null if none are set. */
      invoicePreferences: k.json<InvoicePreferences>()("invoice_preferences"),
      /** Its tax number and prefix, which decide about the numbers of its invoices; null without a tax number. */
      numberingKey: k.text("numbering_key"),
      metadata: k.json<Metadata>()("metadata").notNull(),
      status: k.oneOf("status", [...accountStatuses]).notNull(),
      version: k.integer("version").notNull().default(1),
      createdAt: k.instant("created_at").notNull(),
      updatedAt: k.instant("updated_at").notNull(),
      /**
       * When its owner was removed: its pay links are paused until an admin assigns another. Null if it never had one.
       */
      orphanedAt: k.instant("orphaned_at"),
      closedAt: k.instant("closed_at"),
      closeReason: k.text("close_reason"),
    },
    (t) => [
      k.index("accounts_page").on(t.organizationId, t.createdAt, t.id),
      k.index("accounts_email").on(t.organizationId, t.emailKey, t.createdAt, t.id),
      k
        .index("accounts_orphaned")
        .on(t.organizationId, t.id)
        .where(sql`(${t.orphanedAt} is not null and ${t.status} = 'open')`),
      k.index("accounts_owner").on(t.ownerUserId, t.status),
      k
        .index("accounts_numbering")
        .on(t.organizationId, t.numberingKey, t.status, t.id)
        .where(sql`${t.numberingKey} is not null`),
      k.check("accounts_type", inList(t.accountType, accountTypes)),
      k.check("accounts_status", inList(t.status, accountStatuses)),
      k.check("accounts_closed", sql`(${t.status} = 'closed') = (${t.closedAt} is not null)`),
    ],
  );

  /** The account that has issued invoices with a tax number and a prefix. No other account can issue any with both. */
  const numberingClaims = k.table(
    "numbering_claims",
    {
      organizationId: k
        .text("organization_id")
        .notNull()
        .references(() => organizations.id),
      numberingKey: k.text("numbering_key").notNull(),
      livemode: k.boolean("livemode").notNull(),
      accountId: k
        .text("account_id")
        .notNull()
        .references(() => accounts.id),
    },
    (t) => [k.primaryKey({ columns: [t.organizationId, t.numberingKey, t.livemode] })],
  );

  /** The prefixes with which an account has issued invoices, whatever tax number it had. */
  const invoicePrefixes = k.table(
    "invoice_prefixes",
    {
      accountId: k
        .text("account_id")
        .notNull()
        .references(() => accounts.id),
      livemode: k.boolean("livemode").notNull(),
      /** In the form that is compared; empty for numbers without one. */
      prefix: k.text("prefix").notNull(),
      firstIssuedAt: k.instant("first_issued_at").notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.accountId, t.livemode, t.prefix] })],
  );

  /** The logo of an account, as it is served. */
  const accountLogos = k.table(
    "account_logos",
    {
      accountId: k
        .text("account_id")
        .primaryKey()
        .references(() => accounts.id),
      /** SHA-256 of the image, hexadecimal. Accounts with the same image have the same. */
      hash: k.text("hash").notNull(),
      type: k.oneOf("type", [...logoTypes]).notNull(),
      /** In pixels. */
      width: k.integer("width").notNull(),
      height: k.integer("height").notNull(),
      /** The image, in base64. */
      image: k.text("image").notNull(),
      createdAt: k.instant("created_at").notNull(),
    },
    (t) => [k.index("account_logos_hash").on(t.hash), k.check("account_logos_type", inList(t.type, logoTypes))],
  );

  const apiKeys = k.table(
    "api_keys",
    {
      id: k.text("id").primaryKey(),
      organizationId: k
        .text("organization_id")
        .notNull()
        .references(() => organizations.id),
      /** Bound to one account, or null for the whole organization. */
      accountId: k.text("account_id").references(() => accounts.id),
      createdBy: k.text("created_by").references(() => users.id),
      name: k.text("name").notNull(),
      hash: k.text("hash").notNull(),
      /** The beginning of the current secret, to recognize it by. */
      prefix: k.text("prefix").notNull(),
      last4: k.text("last4").notNull(),
      scopes: k.json<string[]>()("scopes").notNull(),
      /** The addresses and networks that may use it; null for all. */
      ipAllow: k.json<string[]>()("ip_allow"),
      /** The previous secret, which works until `previousUntil`. */
      previousHash: k.text("previous_hash"),
      previousUntil: k.instant("previous_until"),
      /** Who made the previous secret; null without one. */
      previousBy: k.text("previous_by"),
      rotatedAt: k.instant("rotated_at"),
      /** Who made the current secret; null if that was the creator. */
      rotatedBy: k.text("rotated_by"),
      lastUsedAt: k.instant("last_used_at"),
      expiresAt: k.instant("expires_at"),
      revokedAt: k.instant("revoked_at"),
      revokeReason: k.text("revoke_reason"),
      createdAt: k.instant("created_at").notNull(),
    },
    (t) => [
      k.uniqueIndex("api_keys_hash").on(t.hash),
      k.uniqueIndex("api_keys_previous_hash").on(t.previousHash),
      k.index("api_keys_page").on(t.organizationId, t.createdAt, t.id),
      k.index("api_keys_account").on(t.accountId),
      k.index("api_keys_creator").on(t.createdBy),
      k.index("api_keys_unrevoked").on(t.organizationId, t.createdAt, t.id).where(sql`${t.revokedAt} is null`),
    ],
  );

  return { organizations, sandboxClocks, users, accounts, accountLogos, numberingClaims, invoicePrefixes, apiKeys };
}
