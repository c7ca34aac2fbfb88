// Runs commands concurrently, but in turns: before each transaction a seeded choice decides whose runs next. So a race
// can be repeated.
import { AsyncLocalStorage } from "node:async_hooks";
import pg from "pg";
import { openedWith, type World } from "../world";

/** After so many turns of the event loop without any activity, nothing runs any more. */
const quietTurns = 2;

/** The same for commands that run freely: those that have not ended by then belong to a process that died. */
const stillTurns = 10;

export interface Command {
  name: string;
  run(): Promise<unknown>;
  /** Runs right before the command's first transaction, while nothing else does. */
  beforeFirst?(): Promise<void>;
}

export type Ending = { value: unknown } | { error: unknown } | { isDead: true };

interface Waiting {
  name: string;
  go(): void;
}

/** A running command, and whether its first transaction has begun. */
interface Running {
  command: Command;
  hasBegun: boolean;
}

/** One for all lives: each further storage would slow down every promise of the process until it ends. */
const running = new AsyncLocalStorage<Running>();

export class Interleaving {
  /** The world as commands see it: its transactions wait for their turn. */
  readonly world: World;
  private waiting: Waiting[] = [];
  private isOn = false;
  private ended = 0;

  /**
   * `choose` picks a number for each choice. `note` is told whose turn it is; it may also move the clock. With
   * `isFree`, commands run as they do in production, and races are real but not repeatable.
   */
  constructor(
    world: World,
    private readonly choose: () => number,
    private readonly note: (whose: string) => void,
    private readonly isFree = false,
  ) {
    const { db } = world.runtime;
    const write: typeof db.write = async (work) => {
      await this.turn("transaction");
      return this.whileBusy(async () => {
        await this.begin();
        return db.write(work).finally(() => {
          this.ended++;
        });
      });
    };
    this.world = openedWith(world, { ...world.runtime, db: { ...db, write } });
  }

  /** How many write transactions have ended. While it stays the same, so does the database. */
  get writes(): number {
    return this.ended;
  }

  /** Waits until it is this caller's turn. */
  async turn(what: string): Promise<void> {
    if (!this.isOn) return;
    const name = `${running.getStore()?.command.name ?? "?"}: ${what}`;
    await new Promise<void>((go) => this.waiting.push({ name, go }));
  }

  /** A read that takes turns of the event loop, such as of a list. Waits until it is this caller's turn. */
  async read<T>(work: () => Promise<T>): Promise<T> {
    await this.turn("read");
    return this.whileBusy(work);
  }

  /** Runs the commands until nothing more happens. A command that has not ended then belongs to a process that died. */
  async run(commands: readonly Command[]): Promise<Ending[]> {
    const endings: Ending[] = commands.map(() => ({ isDead: true }));
    // A single command has nobody to race with.
    const isFree = this.isFree || commands.length === 1;
    this.isOn = !isFree;
    const all = commands.map(async (command, i) => {
      endings[i] = await running.run({ command, hasBegun: false }, async () => {
        await this.turn("start");
        return command.run().then(
          (value): Ending => ({ value }),
          (error: unknown): Ending => ({ error }),
        );
      });
    });
    if (isFree) await Promise.race([Promise.all(all), this.untilQuiet(stillTurns)]);
    for (;;) {
      await this.untilQuiet(quietTurns);
      if (this.waiting.length === 0) break;
      const [next] = this.waiting.splice(this.choose() % this.waiting.length, 1);
      this.note(next?.name ?? "");
      next?.go();
    }
    this.isOn = false;
    return endings;
  }

  private async begin(): Promise<void> {
    const current = running.getStore();
    if (!current || current.hasBegun || this.isFree) return;
    current.hasBegun = true;
    await current.command.beforeFirst?.();
  }

  private async whileBusy<T>(work: () => Promise<T>): Promise<T> {
    open.add(1);
    try {
      return await work();
    } finally {
      open.add(-1);
    }
  }

  /** Waits until nothing has happened for some turns of the event loop. */
  private async untilQuiet(turns: number): Promise<void> {
    for (let quiet = 0; quiet < turns; quiet++) {
      await new Promise((resume) => setImmediate(resume));
      if (open.count === 0) continue;
      await open.untilNone();
      quiet = -1;
    }
  }
}

/** Counts running transactions, and reads that PostgreSQL has not answered. */
class Open {
  count = 0;
  private resume: (() => void) | null = null;

  add(more: number): void {
    this.count += more;
    if (this.count === 0) this.resume?.();
  }

  untilNone(): Promise<void> {
    return new Promise((resume) => {
      this.resume = resume;
    });
  }
}

const open = new Open();

const { query, connect } = pg.Pool.prototype as unknown as Record<
  "query" | "connect",
  (this: pg.Pool, ...given: unknown[]) => Promise<unknown>
>;
async function counted<T>(work: () => Promise<T>): Promise<T> {
  open.add(1);
  try {
    return await work();
  } finally {
    open.add(-1);
  }
}
Reflect.set(pg.Pool.prototype, "query", function countedQuery(this: pg.Pool, ...given: unknown[]) {
  return counted(() => query.apply(this, given));
});
// Opening a connection takes many turns of the event loop. With a callback, it belongs to a query.
Reflect.set(pg.Pool.prototype, "connect", function countedConnect(this: pg.Pool, ...given: unknown[]) {
  return given.length > 0 ? connect.apply(this, given) : counted(() => connect.apply(this, given));
});
