/** The command `price`: explains what a request costs according to the configured price cards. */
import { type Card, findModel, type ImageModel, pickChannel } from '../../catalogue/catalogue.ts';
import { loadCatalogue } from '../../catalogue/load-catalogue.ts';
import {
  type Config,
  type ConfigOptions,
  configSteps,
  loadConfig,
  loadStart,
} from '../../config/config.ts';
import { finish } from '../../config/document/steps.ts';
import { formatAmount } from '../../money/amount.ts';
import { FACT_NAMES } from '../../money/card-terms.ts';
import { formatPico, formatTokenPrice, imagesPico, settleAmount } from '../../money/price.ts';
import {
  type FactValues,
  NO_FACTS,
  PLAIN_FACTS,
  type PriceLine,
  priceOf,
} from '../../money/price-of.ts';
import { FEE_UNITS } from '../../money/served.ts';
import { COLUMN_OF, perBucket, USAGE_ROWS, type Usage } from '../../money/usage.ts';
import { defaultSize, findByImage, priceKey } from '../../protocols/images/choice.ts';
import { CliError } from '../cli-error.ts';
import type { Command, CommandContext, Input, Options } from '../command.ts';
import { readConfig } from '../config-commands.ts';
import { table } from '../lists.ts';

const flagOf = (name: string): string => name.replaceAll('_', '-');
const TOOLS = FEE_UNITS.filter((unit) => unit !== 'request');
const FACT_SUMMARIES = {
  tier: 'the service tier at which the request is served',
  speed: 'the speed at which the request is served',
  geo: 'the region in which the request is served',
  size: 'the size of each image',
  quality: 'the quality of each image',
} as const satisfies Record<(typeof FACT_NAMES)[number], string>;

const OPTIONS: Options = {
  ...Object.fromEntries([
    ...USAGE_ROWS.map(({ price, label }) => [`${flagOf(price)} N`, `number of tokens: ${label}`]),
    ...TOOLS.map((unit) => [`${flagOf(unit)} N`, `number of ${unit} uses`]),
    ...FACT_NAMES.map((name) => [`${name} NAME`, FACT_SUMMARIES[name]]),
  ]),
  'images N': 'number of images, for an image model (default: 1)',
  'at TIME': 'the time of the request (02:00Z, or 2026-10-01T02:00Z)',
  'channel NAME': 'the channel (default: the default channel of the model)',
};

/**
 * Returns an option's value as a whole number, 0 if the option is not given.
 * @throws CliError `usage`.
 */
function countOf(input: Input, name: string): number {
  const typed = input.text(name) ?? '0';
  if (/^\d{1,12}$/.test(typed)) return Number(typed);
  throw new CliError('usage', `--${name} must be a whole number, not ${JSON.stringify(typed)}.`);
}

/**
 * Returns the time given by --at; the current time without it. A time of day without a date is
 * interpreted as today in UTC.
 * @throws CliError `usage` if the time or its UTC offset is invalid.
 */
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

type Line = {
  readonly item: string;
  readonly count: number;
  readonly price: string;
  readonly per: string;
  readonly amount: string;
  readonly why: string;
};

const lineBody = (line: PriceLine): Line => ({
  item: line.kind === 'tokens' ? COLUMN_OF[line.bucket] : line.unit,
  count: line.count,
  price: line.kind === 'tokens' ? formatTokenPrice(line.ratePico) : formatPico(line.ratePico),
  per: line.kind === 'tokens' ? '1M tokens' : 'use',
  amount: formatPico(line.costPico),
  why: line.why,
});

type Explained = {
  readonly lines: readonly Line[];
  readonly costPico: bigint;
  readonly unpriced: readonly string[];
};

const usageOf = (input: Input): Usage => perBucket(({ price }) => countOf(input, flagOf(price)));

const OF_IMAGES = ['images', 'size', 'quality'];
/** The options that have no effect on a price per image. */
const OF_TOKENS = [
  ...USAGE_ROWS.map(({ price }) => flagOf(price)),
  ...TOOLS.map(flagOf),
  ...['tier', 'speed', 'geo'],
];

/** @throws CliError `usage` if one of the options is given. */
function refuseGiven(input: Input, names: readonly string[], reason: string): void {
  const given = names.find((name) => input.text(name) !== null);
  if (given !== undefined) throw new CliError('usage', `--${given} has no effect: ${reason}.`);
}

/** Explains the price of tokens and tool uses. */
function textOf(input: Input, card: Card, atMs: number): Explained {
  refuseGiven(input, OF_IMAGES, `${card.model} is not an image model`);
  const { tier, speed, geo } = servedIn(input);
  return tokensOf(input, card, usageOf(input), { ...NO_FACTS, tier, speed, geo }, atMs);
}

const servedIn = (input: Input): FactValues => ({
  tier: input.text('tier'),
  speed: input.text('speed'),
  geo: input.text('geo'),
  size: input.text('size'),
  quality: input.text('quality'),
});

function tokensOf(
  input: Input,
  card: Card,
  usage: Usage,
  served: FactValues,
  atMs: number,
): Explained {
  if (card.unit === 'image') throw new Error(`${card.model} has no prices for tokens`);
  const uses = TOOLS.map((unit) => [unit, countOf(input, flagOf(unit))] as const);
  const { lines, costPico, unpriced } = priceOf(card.terms, usage, {
    ...PLAIN_FACTS,
    served,
    uses: Object.fromEntries(uses.filter(([, count]) => count > 0)),
    startMs: atMs,
    endMs: atMs,
  });
  return { lines: lines.map(lineBody), costPico, unpriced };
}

/**
 * Explains the price of images. If tokens are priced, each image has the maximum number of tokens,
 * unless --image-output gives the number.
 */
function imagesOf(input: Input, model: ImageModel, card: Card, atMs: number): Explained {
  const count = input.text('images') === null ? 1 : countOf(input, 'images');
  const size = optionOf(input, 'size', model.sizes) ?? defaultSize(model) ?? '';
  const quality = optionOf(input, 'quality', model.qualities) ?? model.qualities[0] ?? null;
  if (card.unit === 'token') {
    const typed = usageOf(input);
    const most = findByImage(model.imageTokens, size, quality)?.value ?? 0;
    const isTyped = input.text('image-output') !== null;
    const usage = { ...typed, imageOutput: isTyped ? typed.imageOutput : count * most };
    return tokensOf(input, card, usage, { ...servedIn(input), size, quality }, atMs);
  }
  refuseGiven(input, OF_TOKENS, `${card.model} has a price per image`);
  const found = findByImage(card.perImage, size, quality);
  if (found === null) throw new Error(`no price for ${priceKey(size, quality)}`);
  const costPico = imagesPico(found.value, count);
  const line = {
    item: found.key,
    count,
    price: formatAmount(found.value),
    per: 'image',
    amount: formatPico(costPico),
    why: '',
  };
  return { lines: [line], costPico, unpriced: [] };
}

/**
 * Returns the option's value, a size or a quality.
 * @throws CliError `usage` if the model does not offer it.
 */
function optionOf(input: Input, name: string, offered: readonly string[]): string | null {
  const typed = input.text(name);
  if (typed === null || offered.includes(typed)) return typed;
  const known =
    offered.length === 0 ? 'does not support this option' : `offers only ${offered.join(', ')}`;
  throw new CliError('usage', `--${name} is ${JSON.stringify(typed)}, but the model ${known}.`);
}

/** Loads the settings from the file, or from the running server if they are in the database. */
async function configOf({ connect }: CommandContext, file: ConfigOptions): Promise<Config> {
  if (loadStart(file).config === 'file') return loadConfig(file);
  const { document, revision } = await readConfig(await connect());
  // Replaces all upstreams with the built-in one. Upstreams do not affect prices, and this command
  // cannot read their secrets.
  const names = Object.keys(Object(document['upstreams']));
  const upstreams = Object.fromEntries(names.map((name) => [name, { protocol: 'builtin' }]));
  const { models, price_lists, fx, calendars, limits } = document;
  const settings = { models, price_lists, fx, calendars, limits, upstreams };
  const priced = JSON.parse(JSON.stringify(settings));
  const number = revision ?? 0;
  const stored = { revision: number, name: `revision ${number}`, document: priced };
  return finish(configSteps(file, stored));
}

export const PRICE_COMMANDS: readonly Command[] = [
  {
    words: 'price',
    args: ['MODEL'],
    summary:
      'explain what a request would cost at the configured prices (needs no server if the configuration is a file)',
    options: OPTIONS,
    run: async (context, input) => {
      const { clock, print } = context;
      const nowMs = clock.nowMs();
      const file = { path: input.text('config'), nowMs };
      const atMs = timeOf(input, nowMs);
      const catalogue = loadCatalogue(await configOf(context, file), atMs);
      const model = findModel(catalogue, input.arg(0));
      const { card } = pickChannel<Card>(model, input.text('channel'), false);
      const priced =
        model.kind === 'image' ? imagesOf(input, model, card, atMs) : textOf(input, card, atMs);
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
        lines: priced.lines,
        cost: formatPico(priced.costPico),
        charge: formatAmount(settleAmount(priced.costPico, rate)),
        charge_currency: settlement,
        unpriced: priced.unpriced,
      };
      print(body, () => tableOf(body));
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
  readonly lines: readonly Line[];
  readonly cost: string;
  readonly charge: string;
  readonly charge_currency: string;
  readonly unpriced: readonly string[];
};

const tableOf = (body: Body): string =>
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
      : [
          `The price card has no price for ${body.unpriced.join(', ')}, so the highest price of the card is shown.`,
        ]),
  ].join('\n');
