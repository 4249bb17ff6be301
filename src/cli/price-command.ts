/** `price`: explains what a request would cost by the price cards of the configuration. */
import { findModel, pickChannel } from '../catalogue/catalogue.ts';
import { loadCatalogue } from '../catalogue/load-catalogue.ts';
import { loadConfig } from '../config/config.ts';
import { formatAmount } from '../money/amount.ts';
import { FACT_NAMES } from '../money/card-terms.ts';
import { formatPico, formatTokenPrice, settleAmount } from '../money/price.ts';
import { NO_FACTS, PLAIN_FACTS, type PriceLine, priceOf } from '../money/price-of.ts';
import { FEE_UNITS } from '../money/served.ts';
import { COLUMN_OF, perBucket, USAGE_ROWS } from '../money/usage.ts';
import { CliError } from './cli-error.ts';
import type { Command, CommandOption, Input } from './command.ts';
import { table } from './lists.ts';

const flagOf = (name: string): string => name.replaceAll('_', '-');
const TOOLS = FEE_UNITS.filter((unit) => unit !== 'request');

const OPTIONS: readonly CommandOption[] = [
  ...USAGE_ROWS.map(({ price, label }) => ({
    name: flagOf(price),
    value: 'N',
    summary: `tokens of ${label}`,
  })),
  ...TOOLS.map((unit) => ({ name: flagOf(unit), value: 'N', summary: `uses of ${unit}` })),
  ...FACT_NAMES.map((name) => ({ name, value: 'NAME', summary: `the ${name} that is served` })),
  { name: 'at', value: 'TIME', summary: 'the time of the request (02:00Z, or 2026-10-01T02:00Z)' },
  { name: 'channel', value: 'NAME', summary: 'the channel (default: that of the model)' },
];

/** Returns a whole number of tokens or uses. @throws CliError `usage`. */
function countOf(input: Input, name: string): number {
  const typed = input.text(name) ?? '0';
  if (/^\d{1,12}$/.test(typed)) return Number(typed);
  throw new CliError('usage', `--${name} is a whole number, not ${JSON.stringify(typed)}.`);
}

/** Returns the time of --at, or now. A time without a date is today. @throws CliError `usage`. */
function timeOf(input: Input, nowMs: number): number {
  const typed = input.text('at');
  if (typed === null) return nowMs;
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const full = /^\d{2}:\d{2}/.test(typed) ? `${today}T${typed}` : typed;
  const atMs = /(?:Z|[+-]\d{2}:\d{2})$/.test(full) ? Date.parse(full) : Number.NaN;
  if (!Number.isNaN(atMs)) return atMs;
  throw new CliError(
    'usage',
    `--at cannot read ${JSON.stringify(typed)}. Give a time with its offset, such as 02:00Z or 2026-10-01T10:00+08:00.`,
  );
}

const lineBody = (line: PriceLine) => ({
  item: line.kind === 'tokens' ? COLUMN_OF[line.bucket] : line.unit,
  count: line.count,
  price: line.kind === 'tokens' ? formatTokenPrice(line.ratePico) : formatPico(line.ratePico),
  per: line.kind === 'tokens' ? '1M tokens' : 'use',
  amount: formatPico(line.costPico),
  why: line.why,
});

export const PRICE_COMMANDS: readonly Command[] = [
  {
    words: 'price',
    args: ['MODEL'],
    summary: 'explain what a request would cost by the configuration (no server needed)',
    options: OPTIONS,
    run: async ({ clock, print }, input) => {
      const nowMs = clock.nowMs();
      const catalogue = loadCatalogue(loadConfig({ path: input.text('config'), nowMs }), nowMs);
      const model = findModel(catalogue, input.arg(0));
      if (model.kind === 'image')
        throw new CliError('usage', `${model.id} is sold by the image: see \`per_image\`.`);
      const { card } = pickChannel(model, input.text('channel'), false);
      const atMs = timeOf(input, nowMs);
      const priced = priceOf(
        card.terms,
        perBucket(({ price }) => countOf(input, flagOf(price))),
        {
          ...PLAIN_FACTS,
          served: {
            ...NO_FACTS,
            tier: input.text('tier'),
            speed: input.text('speed'),
            geo: input.text('geo'),
          },
          uses: Object.fromEntries(
            TOOLS.map((unit) => [unit, countOf(input, flagOf(unit))] as const).filter(
              ([, count]) => count > 0,
            ),
          ),
          startMs: atMs,
          endMs: atMs,
        },
      );
      const { settlement } = model;
      const rate =
        settlement === card.currency
          ? null
          : (catalogue.fx.get(`${card.currency}/${settlement}`) ?? null);
      const body = {
        model: model.id,
        channel: card.channel,
        price_card: card.id,
        currency: card.currency,
        at: new Date(atMs).toISOString(),
        lines: priced.lines.map(lineBody),
        cost: formatPico(priced.costPico),
        charge: formatAmount(settleAmount(priced.costPico, rate)),
        charge_currency: settlement,
        unpriced: priced.unpriced,
      };
      print(body, () => textOf(body));
      return 0;
    },
  },
];

type Body = {
  readonly model: string;
  readonly channel: string;
  readonly price_card: string;
  readonly currency: string;
  readonly at: string;
  readonly lines: readonly ReturnType<typeof lineBody>[];
  readonly cost: string;
  readonly charge: string;
  readonly charge_currency: string;
  readonly unpriced: readonly string[];
};

const textOf = (body: Body): string =>
  [
    `${body.model} on ${body.channel} at ${body.at}, by ${body.price_card}`,
    table(
      ['count', 'item', `price (${body.currency})`, 'amount', 'why'],
      body.lines.map(({ count, item, price, per, amount, why }) => [
        String(count),
        item,
        `${price} per ${per}`,
        amount,
        why,
      ]),
    ),
    `cost ${body.cost} ${body.currency}; charged ${body.charge} ${body.charge_currency}`,
    ...(body.unpriced.length === 0
      ? []
      : [`The card has no price for ${body.unpriced.join(', ')}: its highest price is shown.`]),
  ].join('\n');
