// An organization with several accounts and payment requests, and everything that its random life refers to by number.
import type * as z from "zod";
import { createAccount } from "@/server/domains/accounts/operations/create";
import { workerRuntime } from "@/server/domains/organizations/time";
import { paymentUrl } from "@/server/domains/payments/link";
import type { viewPayment } from "@/server/domains/payments/operations/view";
import { settleAttempt } from "@/server/domains/payments/settle-attempt";
import type { ProviderResult } from "@/server/domains/providers/provider";
import { sandboxProvider } from "@/server/domains/providers/sandbox";
import { inBackground } from "@/server/domains/records/in-background";
import { settle } from "@/server/domains/transactions/settle";
import { dayMs } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { ask, openPage, type RequestFields, tokenOf } from "../payer";
import type { TestOrganization, World } from "../world";
import type { CardLink } from "./card-links";
import type { Facts } from "./facts";
import { deliveryOf, linesOf } from "./lines";
import { Memory } from "./memory";
import { emailOf, offerOf } from "./offers";
import { People } from "./people";
import { installmentsOf } from "./plan";
import type { Terms } from "./terms";

/** A payment request, and a pay form that was loaded earlier, in another tab. */
export interface Asked {
  id: string;
  /** Empty while it is a draft. */
  token: string;
  accountId: string;
  form: Form | null;
}

/** A pay form, as its page showed it. */
interface Form {
  token: string;
  at: number;
  page: z.output<typeof viewPayment.output>;
}

/** A result that the provider has reported for a transaction, to be reported again later. */
interface Report {
  id: string;
  result: ProviderResult;
}

/** Texts that filters and searches find: some, none, or all of them. */
const textsOf = (number: number, accountId: string) => ({
  reference: number % 2 === 0 ? null : `INV-${number}/2026`,
  description: number % 3 === 0 ? null : "Consulting in March",
  // Some payment requests of an account are to one customer, who can pay one with the credit from another.
  customer: number % 4 === 3 ? null : { name: "Ada Lovelace", email: emailOf(Math.floor(number / 4), accountId) },
});

/** Reminders go to customers. Their days are before the end, or the last date of a plan. */
const remindersOf = ({ reminds, type, livesMs }: Terms, number: number): RequestFields =>
  reminds && number % 4 !== 3 && (livesMs === null ? type !== "invoice" : livesMs >= 3 * dayMs)
    ? { reminders: { offsets_days: [-2, -1] } }
    : {};

/** Trials are not for holds, nor for reusable links. */
function subscriptionOf({ type, capture, trialDays }: Terms, isLink: boolean): RequestFields {
  if (type !== "subscription") return {};
  const hasTrial = trialDays !== undefined && capture === "automatic" && !isLink;
  return { subscription: { interval: "week", ...(hasTrial && { trial_days: trialDays }) } };
}

/** Some invoices are due at an instant. Installments have their own. */
function dueOf({ type, parts, livesMs, dueMs }: Terms, number: number, now: number): RequestFields {
  const usualMs = livesMs === null && number % 3 !== 0 ? 4 * dayMs : undefined;
  const ms = dueMs ?? usualMs;
  return type === "invoice" && parts !== "plan" && ms !== undefined ? { due_at: new Date(now + ms).toISOString() } : {};
}

/** A hold is for the whole amount, and so are a subscription and less than three times half a euro. Installments are due in turn while the request lives. */
function partsOf({ parts, type, capture, amount, livesMs }: Terms, now: number): RequestFields {
  if (parts === "none" || amount < 150 || type === "subscription" || capture === "manual") return {};
  const apart = (livesMs ?? 12 * dayMs) / 4;
  const installments = parts === "plan" ? installmentsOf(amount, (i) => now + (i + 1) * apart) : null;
  return installments
    ? { installments }
    : { allow_partial: true, minimum_amount: Math.max(50, Math.ceil(amount / 10)) };
}

export class Scene {
  readonly memory = new Memory();
  readonly people: People;
  readonly requests: Asked[] = [];
  /** Payment requests whose own expiry somebody has tried to move. */
  readonly movedAlone = new Set<string>();
  /** Reusable links. Their uses are among the requests. */
  readonly links: Pick<Asked, "id" | "token" | "accountId">[] = [];
  /** The internet connections from which uses of links were begun, by the keys of their first attempts. */
  readonly connections = new Map<string, string>();
  /** Until when what waited for attention is done, by payment request or transaction. Epoch ms. */
  readonly done = new Map<string, number>();
  /** The payment requests of which a copy is being made, which answers who asked for a new link. */
  readonly copying = new Set<string>();
  /** The e-mail addresses of erased customers, and when they were erased, epoch ms. */
  readonly erased = new Map<string, number>();
  /** Card links of subscriptions. */
  readonly cardLinks: CardLink[] = [];
  /** How far the organization's clock is ahead of real time, in milliseconds. */
  offsetMs = 0;
  private readonly reports = new Map<string, Report>();
  /** States of charges and refunds at the provider that are among the reports. */
  private readonly recorded = new Set<string>();

  private constructor(
    readonly world: World,
    readonly acme: TestOrganization,
    /** Two belong to the first owner, one to the second. */
    readonly accountIds: readonly string[],
  ) {
    this.people = new People(world, acme);
  }

  static async open(world: World): Promise<Scene> {
    const acme = await world.organization();
    const { member, other } = acme;
    const second = await world.call(createAccount, acme.admin.actor, {
      account_name: "Second",
      account_type: "individual",
      email: "second@example.com",
      owner_user_id: member.id,
    });
    return new Scene(world, acme, [member.accountId, second.account_id, other.accountId]);
  }

  account = (which: number): string => this.accountIds[which % this.accountIds.length] ?? "";

  /** The payment request of a number. Three quarters of all numbers prefer one with `likes`, if there is one. */
  request(which: number, likes: (asked: Asked) => boolean = () => true): Asked | undefined {
    const liked = which % 4 === 3 ? [] : this.requests.filter(likes);
    const from = liked.length > 0 ? liked : this.requests;
    return from[Math.floor(which / 4) % Math.max(1, from.length)];
  }

  /** The reusable link of a number. */
  link = (which: number) => this.links[which % Math.max(1, this.links.length)];

  /** Notes the uses of links that there are by now, whoever was told of them. */
  noteUses({ payments }: Facts): void {
    for (const { id, parentPaymentId, accountId } of payments) {
      const isNew = parentPaymentId !== null && !this.requests.some((one) => one.id === id);
      if (isNew) this.requests.push({ id, token: "", accountId, form: null });
    }
  }

  /** Notes the renewals of subscriptions that there are by now: they can be paid, refunded and canceled like others. */
  noteRenewals({ payments }: Facts): void {
    for (const row of payments.filter(({ isRenewal }) => isRenewal)) {
      if (this.requests.some(({ id }) => id === row.id)) continue;
      const token = tokenOf(paymentUrl(this.world.runtime, row));
      this.requests.push({ id: row.id, token, accountId: row.accountId, form: null });
    }
  }

  /** The admin asks for money to be paid to the account. */
  async ask(accountId: string, terms: Terms): Promise<void> {
    const now = this.world.clock.now() + this.offsetMs;
    const number = this.requests.length + this.links.length;
    const isLink = terms.uses !== undefined && terms.uses !== "once" && terms.type !== "invoice" && !terms.draft;
    const { payment, token } = await ask(this.world, this.people.admin, {
      account_id: accountId,
      type: terms.type,
      capture_method: terms.capture,
      draft: terms.draft,
      ...(isLink ? offerOf(terms) : { amount: terms.amount, ...linesOf(terms.lines ?? "none", terms.amount) }),
      ...textsOf(number, accountId),
      ...subscriptionOf(terms, isLink),
      ...(isLink ? {} : remindersOf(terms, number)),
      ...(isLink ? {} : partsOf(terms, now)),
      ...dueOf(terms, number, now),
      ...deliveryOf(terms.type, terms.lines, now),
      ...(terms.livesMs === null ? {} : { expires_at: new Date(now + terms.livesMs).toISOString() }),
    });
    if (isLink) {
      this.links.push({ id: payment.payment_id, token, accountId });
      return;
    }
    const asked: Asked = { id: payment.payment_id, token, accountId, form: null };
    this.requests.push(asked);
    asked.form = await this.load(asked);
  }

  /** Notes the link of a payment request that is no longer a draft. */
  noteLink(asked: Asked, url: string | null): void {
    if (url !== null) asked.token = tokenOf(url);
  }

  /** Notes a draft that was made from another payment request. */
  noteCopy(id: string, accountId: string): void {
    if (!this.requests.some((one) => one.id === id)) this.requests.push({ id, token: "", accountId, form: null });
  }

  /** Loads the pay page. Null if it shows no form. */
  async load({ token }: Asked): Promise<Asked["form"]> {
    if (token === "") return null;
    const at = this.world.clock.now();
    const page = await openPage(this.world, token);
    return page.form_token === null ? null : { token: page.form_token, at, page };
  }

  /** Records the provider's current results, and that it may have reported `processing` before. */
  async recordReports(facts: Facts): Promise<void> {
    for (const { idempotencyKey, status, amountCaptured } of facts.charges) {
      const state = `${idempotencyKey} ${status} ${amountCaptured}`;
      if (this.recorded.has(state)) continue;
      this.recorded.add(state);
      const result = await this.resultOf(idempotencyKey);
      if (!result) continue;
      this.record({ id: idempotencyKey, result });
      if (result.kind === "refund") {
        this.record({ id: idempotencyKey, result: { ...result, status: "pending", failure: null } });
      } else {
        const before = { status: "processing", amountCaptured: 0, actionUrl: null, failure: null } as const;
        this.record({ id: idempotencyKey, result: { ...result, ...before } });
      }
    }
  }

  private record(report: Report): void {
    this.reports.set(JSON.stringify(report), report);
  }

  /** Reports again what the provider has reported at some time, by number. */
  async report(world: World, which: number): Promise<void> {
    const known = [...this.reports.values()];
    const report = known[which % Math.max(1, known.length)];
    if (!report) return;
    await inBackground(await this.runtimeOf(world), "test.settle", async (ctx) => {
      ctx.audit({ target: report.id });
      if (report.result.kind === "charge") await settleAttempt(ctx, report.id, report.result);
      else await settle(ctx, report.id, report.result);
    });
  }

  /** The runtime in the organization's time, in which the provider works too. */
  runtimeOf = async ({ runtime }: World): Promise<Runtime> =>
    (await workerRuntime(runtime, this.acme.id, false)) ?? runtime;

  get reported(): number {
    return this.reports.size;
  }

  /** The provider's current result for a transaction. */
  async resultOf(id: string): Promise<ProviderResult | null> {
    const provider = sandboxProvider(await this.runtimeOf(this.world), false);
    return (await provider.lookup("charge", id)) ?? provider.lookup("refund", id);
  }
}
