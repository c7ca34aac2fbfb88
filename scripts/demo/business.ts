// The demo's organization: calls the product's operations in this process, as its admin or as a payer.
import { eq } from "drizzle-orm";
import type * as z from "zod";
import { users } from "@/db/tables";
import { jobTable } from "@/server/background/handlers";
import { runDueJobs } from "@/server/domains/jobs/runner";
import { writeCheckpoint } from "@/server/domains/ledger/checkpoint";
import { bootstrap } from "@/server/domains/onboarding/bootstrap";
import { answerChallenge } from "@/server/domains/payments/operations/challenge";
import { createPayment } from "@/server/domains/payments/operations/create";
import { getPayment } from "@/server/domains/payments/operations/get";
import { pay } from "@/server/domains/payments/operations/pay";
import { useLink } from "@/server/domains/payments/operations/use-link";
import { viewPayment } from "@/server/domains/payments/operations/view";
import { writeSeals } from "@/server/domains/records/seals";
import type { Actor } from "@/server/kit/context";
import { newId } from "@/server/kit/ids";
import type { Operation } from "@/server/kit/operation";
import { performFor } from "@/server/pipeline/perform";
import type { Runtime } from "@/server/process/runtime";
import type { Timeline } from "./timeline";

type User = typeof users.$inferSelect;
export type RequestFields = z.input<typeof createPayment.input>;

export interface Requested {
  id: string;
  token: string;
  amount: number;
  currency: string;
  account: string;
}

const payer: Actor = { type: "anonymous" };

export class Business {
  private constructor(
    private readonly runtime: Runtime,
    private readonly owner: User,
    private readonly timeline: Timeline,
  ) {}

  /** Creates the organization of ADMIN_EMAIL. */
  static async open(runtime: Runtime, timeline: Timeline): Promise<Business> {
    await bootstrap(runtime);
    const { email = "" } = runtime.env.admin ?? {};
    const [owner] = await runtime.db.read.select().from(users).where(eq(users.email, email));
    if (!owner) throw new Error("The database already has another organization.");
    return new Business(runtime, owner, timeline);
  }

  get adminId(): string {
    return this.owner.id;
  }

  get accountId(): string {
    return this.owner.accountId ?? "";
  }

  private attempts = 0;

  now = (): number => this.timeline.now();

  /** Calls an operation as the admin, who entered the password just now. */
  call<I extends z.ZodType, O extends z.ZodType>(operation: Operation<I, O>, input: z.input<I>): Promise<z.output<O>> {
    const { id: userId, organizationId, role } = this.owner;
    const session = { sessionId: newId("ses", this.now()), sessionKind: "api", authenticatedAt: this.now() } as const;
    return this.perform(operation, input, { type: "user", userId, organizationId, role, ...session });
  }

  async ask(fields: RequestFields): Promise<Requested> {
    const { payment_id, payment_url, amount, currency, account_id } = await this.call(createPayment, fields);
    return {
      id: payment_id,
      token: payment_url?.split("/").at(-1) ?? "",
      amount: amount ?? 0,
      currency,
      account: account_id,
    };
  }

  /** Pays one use of a reusable link by card. */
  async payUse({ token }: Requested, customer: { name: string; email: string }, card_number: string): Promise<void> {
    const { form_token, amount_due: price } = await this.perform(viewPayment, { token }, payer);
    if (form_token === null) return;
    const typed = { ...customer, card_number, expiry: "12/34", security_code: "123" };
    await this.perform(useLink, { token, form_token, quantities: [], amount: null, price, ...typed }, payer);
  }

  /** Pays by card, unless the page takes no payment any more. Resolves to where the payer must confirm, or null. */
  async pay({ token }: Requested, card_number: string, code = "123"): Promise<string | null> {
    const { form_token } = await this.perform(viewPayment, { token }, payer);
    if (form_token === null) return null;
    const typed = { card_number, expiry: "12/34", security_code: card_number.startsWith("37") ? "1234" : code };
    // Each at an address of its own, because one address soon has to wait.
    const ip = `192.0.2.${1 + (this.attempts++ % 250)}`;
    const { action_url } = await this.perform(pay, { token, form_token, ...typed }, payer, ip);
    return action_url;
  }

  confirm = (url: string, answer: "complete" | "fail") =>
    this.perform(answerChallenge, { reference: url.split("/").at(-1) ?? "", answer }, payer);

  /** The id of the subscription that the payment request began; null if it began none. */
  async subscriptionOf({ id: payment_id }: Requested): Promise<string | null> {
    return (await this.call(getPayment, { payment_id })).subscription_id;
  }

  async doDueJobs(): Promise<void> {
    while ((await runDueJobs(this.runtime, jobTable)) > 0);
  }

  /** Does what a server does in the background. */
  async work(): Promise<void> {
    await this.doDueJobs();
    await writeCheckpoint(this.runtime);
    await writeSeals(this.runtime, new AbortController().signal);
  }

  private perform<I extends z.ZodType, O extends z.ZodType>(
    operation: Operation<I, O>,
    input: z.input<I>,
    actor: Actor,
    ip = "192.0.2.1",
  ): Promise<z.output<O>> {
    this.timeline.tick();
    const now = this.now();
    const request = {
      ...{ requestId: newId("req", now), bearer: null, cookie: null, device: null, ip, userAgent: "demo" },
      ...{ idempotencyKey: null, ifMatch: null, ifNoneMatch: null, receivedAt: now, answerHeaders: {} },
      ...{ signal: new AbortController().signal, setCookie: () => undefined },
    };
    const caller = async () => ({ actor, actorNow: async () => actor, actorIn: async () => actor });
    return performFor(caller, operation, input, request, this.runtime) as Promise<z.output<O>>;
  }
}
