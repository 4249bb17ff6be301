/**
 * Reports the result of a `move-in` command as JSON and as text: what this run of the command
 * imported, what an earlier run had imported, and what was left out.
 */
import { formatAmount, nano, parseAmount } from '../../money/amount.ts';
import { type Left, MOVED_KINDS, type MovedItem } from '../../movein/move-in.ts';
import { table } from '../lists.ts';

/** The maximum number of names that the text lists for one reason. The JSON contains all names. */
const MAX_NAMES = 5;

export type SettingItem = {
  readonly kind: 'upstream' | 'model' | 'price list' | 'secret';
  readonly name: string;
  readonly state: 'moved' | 'present';
};

export type MoveInReport = {
  readonly source: string;
  readonly dry_run: boolean;
  /**
   * The YAML that the operator must add to the configuration file; null if the settings were stored
   * in the database.
   */
  readonly yaml: string | null;
  readonly totals: readonly {
    readonly kind: string;
    readonly moved: number;
    readonly present: number;
    readonly left: number;
  }[];
  /** The sum of the credits that this run moved, in USD. */
  readonly credited_usd: string;
  readonly left: readonly {
    readonly what: string;
    readonly reason: string;
    readonly count: number;
    readonly names: readonly string[];
  }[];
};

export function reportOf(given: {
  readonly source: string;
  readonly isDryRun: boolean;
  readonly yaml: string | null;
  readonly items: readonly MovedItem[];
  readonly settings: readonly SettingItem[];
  readonly left: readonly Left[];
}): MoveInReport {
  const all = [...given.settings, ...given.items];
  const kinds = ['upstream', 'model', 'price list', 'secret', ...MOVED_KINDS] as const;
  const count = (kind: string, state: string): number =>
    all.filter((item) => item.kind === kind && item.state === state).length;
  const refused = given.items.flatMap(({ kind, name, reason }) =>
    reason === null ? [] : [{ what: kind, name, reason }],
  );
  const reasons = Map.groupBy([...given.left, ...refused], (it) => `${it.what}\n${it.reason}`);
  const credited = given.items
    .filter(({ kind, state }) => kind === 'credit' && state === 'moved')
    .reduce((sum, { name }) => sum + (parseAmount(name.split(' ')[0] ?? '') ?? 0n), 0n);
  return {
    source: given.source,
    dry_run: given.isDryRun,
    yaml: given.yaml,
    totals: kinds.map((kind) => ({
      kind,
      moved: count(kind, 'moved'),
      present: count(kind, 'present'),
      left: count(kind, 'left'),
    })),
    credited_usd: formatAmount(nano(credited)),
    left: [...reasons.values()].map((same) => ({
      what: same[0]?.what ?? '',
      reason: same[0]?.reason ?? '',
      count: same.length,
      names: same.map(({ name }) => name),
    })),
  };
}

export function reportText(report: MoveInReport): string {
  const rows = report.totals
    .filter(({ moved, present, left }) => moved + present + left > 0)
    .map((it) => [it.kind, String(it.moved), String(it.present), String(it.left)]);
  const moved = report.dry_run ? 'would be imported' : 'imported';
  return [
    ...(rows.length === 0
      ? ['The source has nothing to import.']
      : [table(['', moved, 'already here', 'not imported'], rows)]),
    `Credits: ${report.credited_usd} USD.`,
    ...(report.left.length === 0
      ? []
      : ['', 'Not imported, or imported with changes:', leftText(report)]),
    ...(report.yaml === null
      ? []
      : [
          '',
          'This gateway keeps its settings in a file. Add these lines to it:',
          '',
          report.yaml.trimEnd(),
        ]),
    '',
    report.dry_run
      ? 'This is a dry run. Nothing was changed.'
      : 'Run the command again at any time: it adds only what is missing.',
  ].join('\n');
}

const leftText = ({ left }: MoveInReport): string =>
  left
    .map(({ what, reason, count, names }) => {
      const shown = names.slice(0, MAX_NAMES).join(', ');
      const more = count > MAX_NAMES ? ', …' : '';
      return `  ${count} × ${what}: ${reason} (${shown}${more})`.replaceAll(/\p{Cc}/gu, ' ');
    })
    .join('\n');
