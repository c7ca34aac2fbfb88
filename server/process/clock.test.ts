// The clock never runs backwards, ignores short errors of the machine's clock, and converges to the right time.
import fc from "fast-check";
import { expect, test } from "vitest";
import { followedMs, provenAfterMs, systemClock } from "./clock";

const start = Date.UTC(2026, 10, 20, 12);
const minute = 60_000;
const hour = 60 * minute;

/** A machine whose clock can be set and which can sleep. */
function machine() {
  const state = { monotonic: 5_000, slept: 0, offset: 0 };
  const truth = () => start + state.monotonic - 5_000 + state.slept;
  const reports: number[] = [];
  const clock = systemClock(
    {
      wall: () => Math.floor(truth() + state.offset),
      monotonic: () => state.monotonic,
      withSleep: () => state.monotonic + state.slept,
    },
    (leadMs) => reports.push(leadMs),
  );
  return {
    clock,
    truth,
    reports,
    /** Lets time pass, reading the clock twice a second as the job runner does. */
    pass(milliseconds: number) {
      for (let left = milliseconds; left > 0; left -= 500) {
        state.monotonic += Math.min(left, 500);
        clock.now();
      }
    },
    sleep(milliseconds: number) {
      state.slept += milliseconds;
    },
    set(offset: number) {
      state.offset = offset;
    },
    skew: () => clock.now() - truth(),
  };
}

test("a clock that is an hour fast for a minute has no effect", () => {
  const m = machine();
  m.set(hour);
  m.pass(minute);
  expect(Math.abs(m.skew())).toBeLessThan(1);
  m.set(0);
  m.pass(hour);
  expect(Math.abs(m.skew())).toBeLessThan(1);
  expect(m.reports).toEqual([hour]);
});

test("a clock set forward is followed after two minutes, a small step at once", () => {
  const m = machine();
  m.set(1_500);
  expect(m.skew()).toBe(1_500);
  m.set(hour);
  m.pass(provenAfterMs - 1_000);
  expect(m.skew()).toBe(1_500);
  m.pass(2_000);
  expect(m.skew()).toBe(hour);
});

test("the time a machine slept is followed at once, a lead beyond that is not", () => {
  const m = machine();
  m.sleep(8 * hour);
  expect(m.skew()).toBe(0);
  m.set(hour);
  m.sleep(10 * minute);
  expect(m.skew()).toBe(-10 * minute);
  m.set(0);
  expect(m.skew()).toBe(0);
});

test("after a clock is set back, time runs at half speed until it catches up", () => {
  const m = machine();
  m.set(-10 * minute);
  const before = m.clock.now();
  m.pass(10 * minute);
  expect(m.clock.now()).toBe(before + 5 * minute);
  m.pass(10 * minute);
  expect(m.skew()).toBe(-10 * minute);
  expect(m.reports).toEqual([-10 * minute]);
});

const events = fc.array(
  fc.oneof(
    fc.record({ pass: fc.integer({ min: 1, max: 20 * minute }) }),
    fc.record({ set: fc.integer({ min: -3 * hour, max: 3 * hour }) }),
    fc.record({ sleep: fc.integer({ min: 1, max: 10 * hour }) }),
  ),
  { maxLength: 20 },
);
type Event = { pass: number } | { set: number } | { sleep: number };

function happen(m: ReturnType<typeof machine>, event: Event): void {
  if ("pass" in event) m.pass(event.pass);
  else if ("set" in event) m.set(event.set);
  else m.sleep(event.sleep);
}

test("under any changes of the machine's clock, time advances and converges", () => {
  fc.assert(
    fc.property(events, (list) => {
      const m = machine();
      let latest = m.clock.now();
      for (const event of list) {
        happen(m, event);
        const now = m.clock.now();
        expect(now).toBeGreaterThanOrEqual(latest);
        latest = now;
      }
      m.set(0);
      m.sleep(0);
      const ahead = Math.max(0, m.skew());
      m.pass(2 * ahead + provenAfterMs + 1_000);
      expect(Math.abs(m.skew())).toBeLessThanOrEqual(1);
    }),
    { numRuns: 50 },
  );
});

test("a clock wrong for under two minutes never leads by more than two seconds", () => {
  const wrong = fc.record({
    offset: fc.integer({ min: -3 * hour, max: 3 * hour }),
    lasts: fc.integer({ min: 1, max: provenAfterMs - 1_000 }),
    right: fc.integer({ min: 4 * minute, max: hour }),
  });
  fc.assert(
    fc.property(fc.array(wrong, { maxLength: 6 }), (list) => {
      const m = machine();
      for (const { offset, lasts, right } of list) {
        m.set(offset);
        m.pass(lasts);
        expect(m.skew()).toBeLessThanOrEqual(followedMs);
        // While the machine's clock is behind, time runs at half its speed or faster.
        expect(m.skew()).toBeGreaterThanOrEqual(-lasts / 2 - 1);
        m.set(0);
        m.pass(right);
        expect(Math.abs(m.skew())).toBeLessThanOrEqual(1);
      }
    }),
    { numRuns: 50 },
  );
});
