/** Summarizes the rows of many rounds: figures with their spread, and budgets. Pure. */
import { type Budget, comparable, isMet, type Limit, type Sizes } from './budgets.ts';
import type { Figure, Found, Measure } from './measures/measure.ts';
import { type Spread, spread } from './spread.ts';
import type { SubjectName } from './subjects.ts';

export type Row = {
  readonly measure: string;
  readonly subject: SubjectName;
  readonly round: number;
} & ({ readonly found: Found } | { readonly failure: string });

export type MeasureSummary = {
  readonly measure: Measure;
  /** The figures by subject and round. */
  readonly found: ReadonlyMap<SubjectName, ReadonlyMap<number, Found>>;
  readonly failures: readonly string[];
};

export type BudgetResult = {
  readonly measure: Measure;
  readonly figure: Figure;
  readonly limit: Limit;
  /** The values that are compared with the limit (see `comparable`), by subject. */
  readonly reached: ReadonlyMap<SubjectName, Spread>;
  /** Whether Modelgate's median meets the budget; null if there is no median for Modelgate. */
  readonly met: boolean | null;
};

export function summarize(
  measures: readonly Measure[],
  rows: readonly Row[],
): readonly MeasureSummary[] {
  return measures.map((measure) => {
    const found = new Map<SubjectName, Map<number, Found>>();
    const failures: string[] = [];
    for (const row of rows) {
      if (row.measure !== measure.name) continue;
      if ('failure' in row) failures.push(`${row.subject}, round ${row.round}: ${row.failure}`);
      else {
        const rounds = found.get(row.subject) ?? new Map<number, Found>();
        found.set(row.subject, rounds.set(row.round, row.found));
      }
    }
    return { measure, found, failures };
  });
}

/**
 * Returns the spread of a figure over the rounds; null when the subject does not have this figure.
 */
export function valuesOf(
  summary: MeasureSummary,
  { key, of }: Figure,
  subject: SubjectName,
): Spread | null {
  // A figure with `of` measures the subject's process. `direct` has no process, and the load
  // generator reports zeros for it.
  if (of !== undefined && subject === 'direct') return null;
  return reachedBy(summary, subject, { kind: 'most', value: 0 }, key);
}

/**
 * Returns the spread of the ratio between the figures of two subjects. The ratio is computed in
 * each round, because a slow minute of the machine affects both figures of a round. Null when no
 * round has both figures.
 */
export const ratioOf = (
  summary: MeasureSummary,
  { key }: Figure,
  subject: SubjectName,
  to: SubjectName,
): Spread | null => reachedBy(summary, subject, { kind: 'times', of: to, value: 0 }, key);

/**
 * Checks the budgets of these measures, in the order of the table. Skips a budget that requires a
 * larger load than this run had.
 */
export function judge(
  budgets: readonly Budget[],
  summaries: readonly MeasureSummary[],
  sizes: Sizes,
): readonly BudgetResult[] {
  return budgets.flatMap(({ measure: name, figure: key, limit, from }) => {
    if (from !== undefined && sizes[from.size] < from.count) return [];
    const summary = summaries.find(({ measure }) => measure.name === name);
    const figure = summary?.measure.figures.find((each) => each.key === key);
    if (summary === undefined || figure === undefined) return [];
    const reached = new Map<SubjectName, Spread>();
    for (const subject of summary.found.keys()) {
      const isBase = 'of' in limit && limit.of === subject;
      const values = isBase ? null : reachedBy(summary, subject, limit, key);
      if (values !== null) reached.set(subject, values);
    }
    const own = reached.get('modelgate');
    const met = own === undefined ? null : isMet(limit, own.median);
    return [{ measure: summary.measure, figure, limit, reached, met }];
  });
}

function reachedBy(
  { found }: MeasureSummary,
  subject: SubjectName,
  limit: Limit,
  key: string,
): Spread | null {
  const values: number[] = [];
  for (const [round, own] of found.get(subject) ?? []) {
    const value = comparable(limit, key, own, (other) => found.get(other)?.get(round));
    if (value !== null) values.push(value);
  }
  return values.length === 0 ? null : spread(values);
}
