// Durations of ISO 8601, such as P7D or P1Y6M: how far a sandbox clock is moved.

/** The parts in the order in which they are written. */
const pattern =
  /^P(?=\d|T\d)(?:(\d{1,5})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})W)?(?:(\d{1,5})D)?(?:T(?=\d)(?:(\d{1,5})H)?(?:(\d{1,5})M)?(?:(\d{1,5})S)?)?$/;

/** Years, months, weeks, days, hours, minutes and seconds. */
type Duration = readonly [number, number, number, number, number, number, number];

/** The parts of a duration; null for text that is none. */
export function durationIn(text: string): Duration | null {
  const parts = pattern.exec(text)?.slice(1);
  return parts ? (parts.map((part) => Number(part ?? 0)) as unknown as Duration) : null;
}

/**
 * The instant a duration after another, both epoch milliseconds. Years and months are those of the calendar in UTC, and
 * end with the month: a month after 31 January is the last day of February.
 */
export function instantAfter(instant: number, [years, months, weeks, days, hours, minutes, seconds]: Duration): number {
  const from = new Date(instant);
  const month = from.getUTCMonth() + months + 12 * years;
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const day = Math.min(from.getUTCDate(), lastDay);
  const moved = new Date(instant).setUTCFullYear(from.getUTCFullYear(), month, day);
  return moved + ((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}
