/**
 * The command `reconcile`: compares providers' bills with the receipts, and prints the differences.
 */
import type { z } from 'zod';
import { RECONCILED } from '../http/admin/admin-reconcile-routes.ts';
import { MEASURES } from '../reconcile/bill.ts';
import { CAUSE_TEXTS } from '../reconcile/compare.ts';
import { CSV_FIELDS } from '../reconcile/csv-report.ts';
import type { Reconciliation } from '../reconcile/reconciliation.ts';
import { CliError } from './cli-error.ts';
import { type Command, contentsOf, type Input } from './command.ts';
import { table } from './lists.ts';

/**
 * The timeout of a comparison. It is long because a monthly bill has several pages, and the cost of
 * every receipt is calculated again.
 */
const RECONCILE_TIMEOUT_MS = 10 * 60_000;

export const RECONCILE_COMMANDS: readonly Command[] = [
  {
    words: 'reconcile',
    summary:
      "compare providers' bills with the receipts; exit 1 if a difference exceeds the tolerance",
    options: {
      'upstream NAME': 'only this upstream; default: all with a `reconcile` setting',
      'from DAY': 'the first day (2026-11-01, UTC); default: yesterday',
      'to DAY': 'the last day; default: the same as --from',
      'csv FILE': "a CSV file with the provider's bill, used instead of its report",
      'columns MAP': `the file's column for each field, such as day=Date,model=Model,cost=Amount (fields: ${CSV_FIELDS.join(', ')})`,
      'currency CURRENCY': 'the currency of the costs in the file (default USD)',
    },
    run: async ({ connect, print }, input) => {
      const client = await connect();
      const body = await bodyOf(input);
      const call = { method: 'POST', path: '/ledger/reconcile', body } as const;
      const answer = await client.call({ ...call, timeoutMs: RECONCILE_TIMEOUT_MS }, RECONCILED);
      print(answer, () => answer.data.map(textOf).join('\n\n'));
      return answer.data.every(({ beyond }) => beyond === 0) ? 0 : 1;
    },
  },
];

async function bodyOf(input: Input): Promise<Readonly<Record<string, unknown>>> {
  const file = input.text('csv');
  const columns = input.text('columns');
  const named = ['upstream', 'from', 'to', 'currency'].flatMap((name) => {
    const value = input.text(name);
    return value === null ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(named),
    ...(file === null ? {} : { csv: await contentsOf(file) }),
    ...(columns === null ? {} : { columns: columnsOf(columns) }),
  };
}

function columnsOf(map: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    map.split(',').map((pair) => {
      const [, field, column] = /^\s*(\w+)\s*=\s*(.*\S)\s*$/.exec(pair) ?? [];
      if (field !== undefined && column !== undefined) return [field, column];
      throw new CliError(
        'usage',
        `--columns contains ${JSON.stringify(pair)}, which is not of the form FIELD=COLUMN.`,
      );
    }),
  );
}

type Difference = Reconciliation['differences'][number];
type Sums = z.infer<typeof RECONCILED>['data'][number]['billed'];

function textOf(it: Reconciliation): string {
  const days = it.from === it.to ? it.from : `${it.from} to ${it.to}`;
  const costs = `billed ${it.billed.cost ?? '?'} ${it.currency}, receipts ${it.receipts.cost ?? '?'} ${it.currency}`;
  const head = `${it.upstream}, ${days} (UTC): ${costs}; compared by day and model: ${it.compared}, different: ${it.differences.length}, above the tolerance of ${it.tolerance} %: ${it.beyond}`;
  return [
    head,
    ...(it.differences.length === 0 ? [] : [tableOf(it.differences)]),
    ...(it.uncosted.length === 0
      ? []
      : [
          `Costs are not compared for ${it.uncosted.join(', ')}: no \`cost\` in ${it.currency} is configured.`,
        ]),
  ].join('\n');
}

const tableOf = (differences: readonly Difference[]): string =>
  table(
    ['', 'day', 'model', 'billed / receipts', 'likely cause'],
    differences.map((it) => [
      it.beyond ? '!' : '',
      it.day,
      it.model ?? '(fees not tied to a model)',
      differsText(it.billed, it.receipts),
      CAUSE_TEXTS[it.cause],
    ]),
  );

/**
 * Formats the measures that differ, such as `output 900 / 700`. The first number is from the bill,
 * the second is the sum of the receipts.
 */
const differsText = (billed: Sums, receipts: Sums): string =>
  MEASURES.filter(
    (name) => billed[name] !== null && receipts[name] !== null && billed[name] !== receipts[name],
  )
    .map((name) => `${name} ${billed[name]} / ${receipts[name]}`)
    .join('; ');
