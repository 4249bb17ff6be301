/**
 * The commands `prices ...`, which compare the configured prices with public price data and apply
 * the differences.
 */
import type { z } from 'zod';
import { CHANGED } from '../../http/admin/config/config-schemas.ts';
import { COMPARISON } from '../../http/admin/config/price-data-routes.ts';
import type { AdminClient } from '../admin-client.ts';
import { type Command, contentsOf, type Input, type Options } from '../command.ts';
import { CHANGE_OPTIONS, changeQuery, report } from '../config-commands.ts';
import { table } from '../lists.ts';

type Comparison = z.infer<typeof COMPARISON>;
type Difference = Comparison['data'][number];

/** The timeout of a comparison, for which a file of several megabytes is sent. */
const COMPARE_TIMEOUT_MS = 90_000;

const OPTIONS: Options = {
  'set price|cost': 'what to compare: price (default) or cost',
  'factor FACTOR': 'the factor by which the public prices are multiplied, such as 1.3',
  'only MODELS': 'only these models, or MODEL/CHANNEL (a,b/direct)',
  'max-jump PERCENT': 'a price change above this percentage needs a decision (default: 20%)',
};

/**
 * Lets the server compare the prices with the price data. The argument FILE may be an https URL,
 * which the server fetches.
 */
async function compared(client: AdminClient, input: Input): Promise<Comparison> {
  const file = input.arg(0);
  const isUrl = /^https?:\/\//.test(file);
  const body = {
    ...(isUrl ? { url: file } : { text: await contentsOf(file) }),
    compare: input.text('set') ?? 'price',
    factor: input.text('factor') ?? '1',
    max_jump: (input.text('max-jump') ?? '20').replace(/%$/, ''),
  };
  const answer = await client.call(
    { method: 'POST', path: '/config/prices/compare', body, timeoutMs: COMPARE_TIMEOUT_MS },
    COMPARISON.loose(),
  );
  const only = input.text('only')?.split(',') ?? null;
  const isMeant = ({ model, channel }: Pick<Difference, 'model' | 'channel'>): boolean =>
    only === null || only.includes(model) || only.includes(`${model}/${channel}`);
  return {
    ...answer,
    data: answer.data.filter(isMeant),
    unmatched: answer.unmatched.filter(isMeant),
  };
}

const WAITING = {
  jump: 'needs a decision: large change',
  new: 'needs a decision: no price configured yet',
  conditions: 'needs a decision: the price has conditions',
} as const;

const REASONS = {
  no_provider: 'no route uses a provider in the price data',
  not_listed: 'the price data does not list the model',
  per_image: 'priced per image',
  inexact: 'a price has more than 6 decimals',
} as const;

const lines = ({ data, unmatched }: Comparison): readonly string[] => [
  ...(data.length === 0
    ? []
    : [
        table(
          ['model', 'channel', 'price', 'before', 'after', 'change', '', 'source'],
          data.map(({ model, channel, key, before, after, percent, waits, source, more }) => [
            ...[model, channel, key, before ?? '-', after],
            percent === null ? '-' : `${percent}%`,
            waits === null ? '' : WAITING[waits],
            more ? `${source} (lists more prices of this model)` : source,
          ]),
        ),
      ]),
  ...unmatched.map(
    ({ model, channel, reason }) => `Not compared: ${model}/${channel}: ${REASONS[reason]}`,
  ),
];

const summary = ({ data, compared: channels }: Comparison): string => {
  const waiting = data.filter(({ waits }) => waits !== null).length;
  const rounded = data.filter((row) => row.rounded).length;
  const differ = data.length === 1 ? '1 price differs' : `${data.length} prices differ`;
  const note = rounded === 0 ? '' : ` ${rounded} of the new prices are rounded to 6 decimals.`;
  return `${channels} channels compared; ${differ}, ${waiting} of them waiting for a decision.${note}`;
};

const placeOf = ({ model, channel }: Difference): string => JSON.stringify([model, channel]);

/**
 * Returns the JSON merge patch that sets the values in `rows`, and removes the mark `example` from
 * the changed prices. Also sets the `source` of a channel's price or cost if `left`, the
 * differences that are not applied, has no row for the channel.
 */
function patchOf(
  rows: readonly Difference[],
  left: readonly Difference[],
  what: Comparison['compare'],
) {
  const models: Record<string, { channels: Record<string, Record<string, object>> }> = {};
  for (const [, own] of Map.groupBy(rows, placeOf)) {
    const [first] = own;
    if (first === undefined) continue;
    const isWhole = !left.some((row) => placeOf(row) === placeOf(first));
    const notes = {
      ...(isWhole ? { source: first.source } : {}),
      ...(what === 'price' ? { example: null } : {}),
    };
    const prices = Object.fromEntries(own.map(({ key, after }) => [key, after]));
    const model = models[first.model] ?? { channels: {} };
    model.channels[first.channel] = { [what]: { ...prices, ...notes } };
    models[first.model] = model;
  }
  return { models };
}

export const PRICE_DATA_COMMANDS: readonly Command[] = [
  {
    words: 'prices diff',
    summary:
      'compare prices with a file or URL in the format of LiteLLM or models.dev; exit 1 if they differ',
    args: ['FILE'],
    options: OPTIONS,
    run: async ({ connect, print }, input) => {
      const comparison = await compared(await connect(), input);
      print(comparison, () => [...lines(comparison), summary(comparison)].join('\n'));
      return comparison.data.length === 0 ? 0 : 1;
    },
  },
  {
    words: 'prices apply',
    summary: 'set the prices that differ, except those that need a decision',
    args: ['FILE'],
    options: {
      ...OPTIONS,
      waiting:
        'also set the prices that need a decision: large changes, new prices, prices with conditions',
      'dry-run': 'only show what would change',
      ...CHANGE_OPTIONS,
    },
    run: async ({ connect, print }, input) => {
      const client = await connect();
      const comparison = await compared(client, input);
      const isApplied = ({ waits }: Difference): boolean => waits === null || input.has('waiting');
      const rows = comparison.data.filter(isApplied);
      const left = comparison.data.filter((row) => !isApplied(row));
      if (rows.length === 0) {
        print({ ...comparison, changed: null }, () =>
          [...lines({ ...comparison, data: left }), 'Nothing was changed.'].join('\n'),
        );
        return 0;
      }
      const changed = await client.call(
        {
          method: 'PATCH',
          path: `/config?${changeQuery(input, input.has('dry-run'))}`,
          body: { document: patchOf(rows, left, comparison.compare) },
          headers: { 'if-match': `"${comparison.revision ?? 0}"` },
        },
        CHANGED.loose(),
      );
      print({ ...changed, waiting: left }, () =>
        [...lines({ ...comparison, data: left }), report(changed)].join('\n'),
      );
      return changed.errors.length === 0 ? 0 : 1;
    },
  },
];
