/**
 * The figures of each measured commit, kept in `history.json`. Only `readHistory` and
 * `writeHistory` access the file.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine } from './machine.ts';
import type { BudgetResult } from './summary.ts';

const FILE = join(import.meta.dir, 'history.json');

export type Entry = Pick<Machine, 'commit' | 'date' | 'cpu'> & {
  readonly rounds: number;
  /** The factor by which all measured periods are multiplied; 1 for a full run. */
  readonly scale: number;
  /** The medians that are compared with the budgets, by `measure.figure`, such as `rest.rssMb`. */
  readonly reached: Readonly<Record<string, number>>;
};

export type History = readonly Entry[];

/** Returns the key of a budget's figure in `reached`, such as `rest.rssMb`. */
export const entryKey = ({ measure, figure }: Pick<BudgetResult, 'measure' | 'figure'>): string =>
  `${measure.name}.${figure.key}`;

/**
 * Returns the history with this entry at the end. A second run of a commit replaces only the
 * figures that it measures again.
 */
export function withEntry(history: History, entry: Entry): History {
  const earlier = history.find(({ commit }) => commit === entry.commit);
  const others = history.filter(({ commit }) => commit !== entry.commit);
  return [...others, { ...entry, reached: { ...earlier?.reached, ...entry.reached } }];
}

export function reachedOf(results: readonly BudgetResult[]): Entry['reached'] {
  const reached: Record<string, number> = {};
  for (const result of results) {
    const own = result.reached.get('modelgate');
    if (own !== undefined) reached[entryKey(result)] = Number(own.median.toPrecision(4));
  }
  return reached;
}

export const readHistory = (file = FILE): History =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];

export const writeHistory = (history: History, file = FILE): void =>
  writeFileSync(file, `${JSON.stringify(history, null, 2)}\n`);
