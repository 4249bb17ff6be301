/** Months in the API's format: 2026-11. */

/** Such as 2026-11-30. */
export function lastDayOf(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  // Day zero of the next month.
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}
