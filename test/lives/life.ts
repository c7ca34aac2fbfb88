// One random life of an organization: runs its steps, alone or at once, and checks every invariant after each of them.
import { sandboxProvider } from "@/server/domains/providers/sandbox";
import { Failure } from "@/server/kit/errors";
import { dayMs, hourMs, minuteMs } from "@/server/kit/limits";
import { ageJobLeases } from "../job-leases";
import { runJobs } from "../jobs";
import { endKeyLeases } from "../key-leases";
import type { Around } from "../lists";
import { arriveLate, forgetFault, planFault, timeOutAfter } from "../provider-faults";
import { openWorld, type World } from "../world";
import { Actions } from "./actions";
import { checkBooks } from "./books";
import { answerOf, Calls, type Judged } from "./calls";
import { checkWaiting } from "./dismissing";
import { checkEnd } from "./end";
import { Entries } from "./entries";
import { checkErased, checkMade, checkPayers } from "./erasure";
import { type Facts, paymentsOf, readFacts } from "./facts";
import { type Ending, Interleaving } from "./interleaving";
import { checkLinkReaders } from "./links";
import { browse } from "./lists";
import { checkMoney } from "./money";
import { checkReaders } from "./readers";
import { Scene } from "./scene";
import { declinesBeforeBrake } from "./spec-links";
import { checkBegun, checkCycles } from "./steering";
import type { Batch, Life, Step } from "./steps";
import { checkCards } from "./stored-cards";
import { must, mustEqual } from "./violation";

/**
 * A world for lives: payers may fail as often as they like, except that a few declined cards on a link slow strangers
 * down. Sessions last until they are ended.
 */
export const openWorldOfLives = (): Promise<World> =>
  openWorld({
    PAY_FAILURES_PER_IP: "100000",
    PAY_FAILURES_PER_LINK: "100000",
    LINK_DECLINES: String(declinesBeforeBrake),
    LINK_USES_PER_IP: "100000",
    ACCESS_TOKEN_TTL: "3650d",
    API_SESSION_MAX_AGE: "3650d",
  });

interface LifeOptions {
  /** Picks a number for each choice of the interleaving. */
  choose(): number;
  /** Called with each step before it runs, and with each choice of whose turn it is. */
  say?(line: string): void;
  /** Counts what happens, by name. */
  count?(name: string): void;
  /** Concurrent steps run freely, in an order that no seed repeats. */
  isFree?: boolean;
}

/** After so many tries that follow the last deadline, no reminder waits any more. */
const mostTries = 20;

export class LifeRun {
  /** The facts before the last step. */
  before: Facts;
  /** The last step, as text. */
  step = "";
  private readonly calls: Calls;
  private readonly actions: Actions;
  /** What readers were shown last, by payment request. */
  private readonly seen = new Map<string, string>();
  private readonly entries = new Entries();
  /** The write transactions before the latest facts were read. */
  private writesBefore = 0;

  private constructor(
    private readonly world: World,
    private readonly interleaving: Interleaving,
    readonly scene: Scene,
    /** The latest facts: after a step, those that follow from it. */
    public facts: Facts,
    private readonly options: LifeOptions,
  ) {
    this.before = facts;
    this.actions = new Actions(scene);
    this.calls = new Calls(interleaving.world, scene.memory, () => this.read());
    this.writesBefore = interleaving.writes;
    scene.memory.isExact = !options.isFree;
    timeOutAfter(() => interleaving.turn("time out"));
  }

  /** An organization at the beginning of its life. */
  static async open(world: World, { requests }: Life, options: LifeOptions): Promise<LifeRun> {
    world.clock.advance(1000);
    const note = (whose: string) => {
      world.clock.advance(1);
      options.say?.(`     ${whose}`);
      options.count?.("turns");
    };
    const interleaving = new Interleaving(world, options.choose, note, options.isFree);
    const scene = await Scene.open(interleaving.world);
    for (const [i, terms] of requests.entries()) await scene.ask(scene.account(i), terms);
    return new LifeRun(world, interleaving, scene, await readFacts(world, scene.acme.id), options);
  }

  /** Lives the life to its end. Throws a Violation as soon as an invariant does not hold. */
  async live(batches: readonly Batch[]): Promise<void> {
    for (const [i, batch] of batches.entries()) await this.take(batch, `${i + 1}.`);
    await this.rest();
    await checkEnd(this.world, this.scene, this.facts, this.options.choose);
    await this.entries.check(this.world, this.scene, this.facts, this.options.choose);
  }

  /** Takes the steps of a batch at once, and checks. */
  async take(batch: Batch, title: string): Promise<void> {
    this.step = `${title.padEnd(4)} ${batch.map((one) => JSON.stringify(one)).join("\n     ")}`;
    this.options.say?.(this.step);
    this.options.count?.(batch.length === 1 ? "steps" : "steps at once");
    this.world.clock.advance(1);
    const commands: Judged[] = [];
    for (const step of batch) commands.push(...(await this.commandsOf(step, batch)));
    const before = await this.read();
    const endings = await this.interleaving.run(commands);
    forgetFault();
    for (const ending of endings) if ("error" in ending) throw ending.error;
    if (endings.some((ending) => "isDead" in ending)) await this.restart();
    this.before = before;
    this.facts = await this.read();
    const outcomes = this.calls.judge(commands, endings, this.facts);
    for (const outcome of outcomes) this.options.count?.(outcome);
    this.checkRefused(commands, endings);
    await this.check();
  }

  /** The facts now. They are read again only after a transaction, because only the time changes without one. */
  private async read(): Promise<Facts> {
    const { writes } = this.interleaving;
    if (writes === this.writesBefore) return { ...this.facts, now: this.world.clock.now() + this.facts.offsetMs };
    this.facts = await readFacts(this.world, this.scene.acme.id);
    this.scene.offsetMs = this.facts.offsetMs;
    this.writesBefore = writes;
    return this.facts;
  }

  /** A process that died has lost its memory, and its leases end. */
  private async restart(): Promise<void> {
    this.world.runtime.runningKeys.clear();
    await endKeyLeases(this.interleaving.world);
  }

  /** Invariant 14: a single call that was refused, or slowed down, before the provider was asked has changed nothing. */
  private checkRefused(commands: readonly Judged[], [ending]: readonly Ending[]): void {
    const [command, another] = commands;
    if (another || !command || !ending || !("value" in ending) || !(ending.value instanceof Error)) return;
    const { value } = ending;
    const isSlowed = value instanceof Failure && value.code === "rate_limited";
    if (command.sent.isAllowed !== false && !isSlowed) return;
    for (const name of ["lines", "transactions", "events", "payments"] as const) {
      mustEqual(this.facts[name], this.before[name], "14", `${command.name} was refused and changed ${name}`);
    }
  }

  private async check(): Promise<void> {
    checkMoney(this.facts);
    checkBooks(this.facts, this.before);
    checkCycles(this.facts);
    checkBegun(this.facts, this.before);
    checkCards(this.facts);
    checkErased(this.facts);
    checkPayers(this.facts);
    checkMade(this.facts);
    if (this.scene.memory.isExact) checkWaiting(this.scene, this.facts);
    this.scene.memory.check(this.facts);
    const overpaid = this.facts.payments.filter((row) => row.amountOverpaid > 0).map(({ id }) => id);
    const isExplained = overpaid.length === 0 || this.scene.memory.hasBrokenPromise;
    must(isExplained, "no payer is charged twice", `${overpaid} were overpaid`);
    const { writes } = this.interleaving;
    this.scene.noteUses(this.facts);
    this.scene.noteRenewals(this.facts);
    await checkReaders(this.scene, this.facts, this.seen);
    await checkLinkReaders(this.scene, this.facts);
    must(this.interleaving.writes === writes, "25", "reading payment requests and opening their links wrote something");
    await this.scene.recordReports(this.facts);
    this.entries.note(this.facts);
  }

  private async commandsOf(step: Step, batch: Batch): Promise<Judged[]> {
    const { world } = this.interleaving;
    const run = (call: () => Promise<unknown>): Judged[] => [
      { name: step.do, run: call, sent: { action: { name: step.do }, isAllowed: null, keyed: null } },
    ];
    switch (step.do) {
      case "ask":
        return run(() => answerOf(this.scene.ask(this.scene.account(step.account), step)));
      case "wait":
        return run(async () => this.world.clock.advance(step.ms));
      case "work":
        return run(() => this.work(step));
      case "arrive":
        return run(arriveLate);
      case "browse":
        return run(() => this.browse(world));
      case "report":
        return step.which.flatMap((which) => run(() => this.scene.report(world, which)));
      case "void": {
        const id = this.scene.request(step.request)?.id ?? "";
        const held = paymentsOf(this.facts, id).find(({ status }) => status === "authorized")?.providerReference;
        const end = async () =>
          answerOf(sandboxProvider(await this.scene.runtimeOf(world), false).cancel(held ?? "", "authorized"));
        return held ? run(end) : [];
      }
      case "repeat":
        return this.calls.repeat(step.which);
      default: {
        // A worker's call without an answer would keep its job's lease, so beside a worker calls fail instead.
        const mayHang = !batch.some((one) => one.do === "work");
        const actions = await this.actions.of(step, this.facts);
        return actions.flatMap((action) => this.calls.commandsFor(action, mayHang));
      }
    }
  }

  /** Reads all pages of all lists, with others' steps between the pages. */
  private async browse(world: World): Promise<void> {
    const around: Around = (page) => this.interleaving.read(page);
    await browse(world, this.scene, await this.read(), around);
    await this.entries.browse(world, this.scene, around);
  }

  private work({ failing, breaksPromise }: Extract<Step, { do: "work" }>): Promise<unknown> {
    if (breaksPromise) {
      // The provider forgets the next charge that is given up, so that it makes the charge if the request arrives late.
      planFault("giveUp", "reset", "unkept").then(() => {
        this.scene.memory.hasBrokenPromise = true;
      });
    } else if (failing) planFault(failing, "reset", failing === "lookup" ? "before" : "after");
    return runJobs(this.interleaving.world);
  }

  /** Delivers everything, passes every deadline, and runs the worker until nothing is left to do. */
  private async rest(): Promise<void> {
    await ageJobLeases(this.interleaving.world, hourMs);
    const work: Step = { do: "work", failing: null, breaksPromise: false };
    await this.take([{ do: "arrive" }], "end");
    for (const ms of [31_000, 16 * minuteMs, 8 * dayMs, 31 * dayMs]) {
      this.world.clock.advance(ms);
      await this.take([work], "end");
    }
    // What would renew forever is canceled.
    for (const [subscription, { status }] of this.facts.subscriptions.entries()) {
      if (status === "canceled" || status === "ended") continue;
      await this.take([{ do: "steer", subscription, command: "cancelNow", days: null, key: "none" }], "end");
    }
    await this.take([work], "end");
    const last = Math.max(0, ...this.facts.payments.map(({ expiresAt }) => expiresAt ?? 0));
    const left = last - this.facts.now;
    if (left >= 0) {
      this.world.clock.advance(left + 1);
      await this.take([work], "end");
    }
    // A reminder that waits goes, or is skipped, at a waking hour of one of the next days.
    const waiting = () =>
      this.facts.jobs.flatMap(({ kind, dueAt }) => (kind === "payments.remind" ? (dueAt ?? []) : []));
    for (let tries = 0; waiting().length > 0 && tries < mostTries; tries++) {
      this.world.clock.advance(Math.max(1, Math.min(...waiting()) - this.facts.now));
      await this.take([work], "end");
    }
  }
}
