/** Calculates with months in the format of the API, such as 2026-11. */

/** Returns the last day of a month, such as 2026-11-30 for 2026-11. */
export function lastDayOf(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  // Day zero of the next month is the last day of this month.
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}
