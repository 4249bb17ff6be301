/** Summarizes the rows of many rounds: figures with spread, ratios and budget results. Pure. */
import type { Figure, Found, Measure } from './measures/measure.ts';
import { type Spread, spread } from './spread.ts';
import type { SubjectName } from './subjects.ts';

export type Row = {
  readonly measure: string;
  readonly subject: SubjectName;
  readonly round: number;
} & ({ readonly found: Found } | { readonly failure: string });

export type SubjectFigure = {
  readonly values: Spread;
  /** Ratio to Modelgate in the same round; null where a ratio is meaningless. */
  readonly timesModelgate: Spread | null;
};

export type FigureSummary = {
  readonly figure: Figure;
  readonly bySubject: ReadonlyMap<SubjectName, SubjectFigure>;
};

export type MeasureSummary = {
  readonly measure: Measure;
  readonly figures: readonly FigureSummary[];
  readonly failures: readonly string[];
};

export type BudgetResult = {
  readonly measure: Measure;
  readonly figure: Figure;
  readonly atMost: number;
  readonly reached: Spread | null;
  /** Judged by the median; null when Modelgate has no figure. */
  readonly met: boolean | null;
};

export function summarize(
  measures: readonly Measure[],
  subjects: readonly SubjectName[],
  rows: readonly Row[],
): readonly MeasureSummary[] {
  return measures.map((measure) => {
    const own = rows.filter((row) => row.measure === measure.name);
    const failures = own.flatMap((row) =>
      'failure' in row ? [`${row.subject}, round ${row.round}: ${row.failure}`] : [],
    );
    const figures = measure.figures.map((figure) => summarizeFigure(figure, subjects, own));
    return { measure, figures, failures };
  });
}

/** Modelgate's result for each budget, in the order of the measures. */
export function judge(summaries: readonly MeasureSummary[]): readonly BudgetResult[] {
  return summaries.flatMap(({ measure, figures }) =>
    figures.flatMap(({ figure, bySubject }) => {
      if (figure.atMost === undefined) return [];
      const reached = bySubject.get('modelgate')?.values ?? null;
      const met = reached === null ? null : reached.median <= figure.atMost;
      return [{ measure, figure, atMost: figure.atMost, reached, met }];
    }),
  );
}

function summarizeFigure(
  figure: Figure,
  subjects: readonly SubjectName[],
  rows: readonly Row[],
): FigureSummary {
  const modelgate = byRound(figure, 'modelgate', rows);
  const bySubject = new Map<SubjectName, SubjectFigure>();
  for (const subject of subjects) {
    const values = byRound(figure, subject, rows);
    if (values.size === 0) continue;
    bySubject.set(subject, {
      values: spread([...values.values()]),
      timesModelgate: subject === 'modelgate' ? null : ratio(values, modelgate),
    });
  }
  return { figure, bySubject };
}

function byRound(
  figure: Figure,
  subject: SubjectName,
  rows: readonly Row[],
): ReadonlyMap<number, number> {
  const values = new Map<number, number>();
  if (figure.ofProcess && subject === 'direct') return values;
  for (const [round, value] of rawByRound(figure.key, subject, rows)) {
    if (figure.above === undefined) values.set(round, value);
    else if (figure.above !== subject) {
      const base = rawByRound(figure.key, figure.above, rows).get(round);
      if (base !== undefined) values.set(round, value - base);
    }
  }
  return values;
}

function rawByRound(
  key: string,
  subject: SubjectName,
  rows: readonly Row[],
): ReadonlyMap<number, number> {
  const values = new Map<number, number>();
  for (const row of rows) {
    if (row.subject !== subject || 'failure' in row) continue;
    const value = row.found[key];
    if (value !== undefined) values.set(row.round, value);
  }
  return values;
}

/**
 * By round, so that a slow minute of the machine affects both. Differences near zero have no ratio.
 */
function ratio(of: ReadonlyMap<number, number>, by: ReadonlyMap<number, number>): Spread | null {
  const ratios: number[] = [];
  for (const [round, value] of of) {
    const base = by.get(round);
    if (base !== undefined && base > 0 && value > 0) ratios.push(value / base);
  }
  return ratios.length === 0 ? null : spread(ratios);
}
