/** The route that compares configured prices with public price data, from a file or a URL. */
import * as z from 'zod';
import { CHANNELS } from '../../../catalogue/catalogue.ts';
import type { Clock } from '../../../clock.ts';
import { isPrivateHost } from '../../../config/address.ts';
import { inSlices } from '../../../config/document/steps.ts';
import { GatewayError } from '../../../errors.ts';
import { MULTIPLE_SCALE, parseMultiple } from '../../../money/price.ts';
import { PRICE_ROWS } from '../../../money/usage.ts';
import { PRICE_FORMATS, priceDataSteps } from '../../../reconcile/price-data/price-data.ts';
import {
  COMPARED,
  comparisonSteps,
  type PriceComparison,
  UNMATCHED,
  WAITS,
} from '../../../reconcile/price-data/price-differences.ts';
import { MAX_DOCUMENT_BYTES } from '../../../revisions/config-changes.ts';
import { downloadFile } from '../../../upstreams/image-download.ts';
import { count } from '../../edge/answer-schema.ts';
import { DOCUMENT_LIMITS } from '../../edge/body.ts';
import { checked, text } from '../../edge/request-schema.ts';
import { type AdminCall, adminRoute, type Route } from '../../edge/route.ts';
import { type ConfigDeps, headersAt, readNewest } from './config-calls.ts';
import { revisionNumber } from './config-schemas.ts';

/** Maximum characters of price data: enough for LiteLLM's file, which has less than 2 MB. */
const MAX_DATA_CHARS = 7 * 1024 * 1024;
const MAX_URL_CHARS = 500;
const MAX_DECIMAL_CHARS = 13;
const PRICE_KEYS = PRICE_ROWS.map(({ price }) => price);

const COMPARE = z.strictObject({
  text: z
    .string({ error: 'must be the text of a file' })
    .max(MAX_DATA_CHARS, `must have at most ${MAX_DATA_CHARS} characters`)
    .optional()
    .meta({
      description:
        "The text of LiteLLM's price map, or of `api.json` of models.dev. Send either this or `url`.",
    }),
  url: text(MAX_URL_CHARS)
    .refine(isPublicUrl, 'must be a public https address without credentials')
    .optional()
    .meta({ description: 'The public https address from which the gateway reads the price data.' }),
  compare: z
    .enum(COMPARED, { error: `must be one of ${COMPARED.join(', ')}` })
    .default('price')
    .meta({ description: 'price: what callers pay. cost: what the operator pays.' }),
  factor: text(MAX_DECIMAL_CHARS)
    .regex(/^(?=.*[1-9])\d{1,6}(?:\.\d{1,6})?$/, 'must be a factor above zero such as "1.3"')
    .default('1')
    .meta({ description: 'Public prices are multiplied by this factor before they are compared.' }),
  max_jump: text(MAX_DECIMAL_CHARS)
    .regex(/^\d{1,6}(?:\.\d{1,6})?$/, 'must be a percentage such as "20"')
    .default('20')
    .meta({
      description:
        'Price changes of more than this percentage need a decision by a person. See `waits`.',
    }),
});

const perMillion = z.string().meta({ description: 'USD per 1M tokens, a decimal string.' });
const PLACE = { model: z.string(), channel: z.enum(CHANNELS) };
export const COMPARISON = z
  .strictObject({
    revision: revisionNumber.nullable().meta({ description: 'The newest revision, as in `ETag`.' }),
    format: z.enum(PRICE_FORMATS),
    compare: z.enum(COMPARED),
    compared: count.meta({ description: 'How many channels were compared.' }),
    data: z.array(
      z
        .strictObject({
          ...PLACE,
          key: z.enum(PRICE_KEYS),
          before: perMillion
            .nullable()
            .meta({ description: 'The configured price or cost. Null: not configured.' }),
          after: perMillion.meta({ description: 'The public price times `factor`.' }),
          rounded: z.boolean().meta({
            description: 'Whether `after` was rounded to six decimals (half to even).',
          }),
          percent: z
            .string()
            .nullable()
            .meta({ description: 'The change in percent, such as `-12.5`.' }),
          waits: z.enum(WAITS).nullable().meta({
            description:
              'Why a person must decide: the price changes by more than `max_jump`, was not configured before, or has conditions. Null: no decision is needed.',
          }),
          source: z.string().meta({
            description:
              'The text to store as the `source` of the price, if all differences of this channel are accepted.',
          }),
          more: z.boolean().meta({
            description:
              'Whether the price data lists more prices for the model, such as a price for long prompts.',
          }),
        })
        .meta({ id: 'PriceDifference' }),
    ),
    unmatched: z.array(
      z
        .strictObject({
          ...PLACE,
          reason: z.enum(UNMATCHED).meta({
            description:
              'Why the channel was not compared: no route uses a provider in the price data; the data does not list the model; the model is priced per image; or a price has more than 6 decimals.',
          }),
        })
        .meta({ id: 'UnmatchedPrice' }),
    ),
  })
  .meta({ id: 'PriceComparison' });

export function priceDataRoutes(deps: ConfigDeps & { readonly clock: Clock }): readonly Route[] {
  const doc = {
    summary: 'Compare the configured prices with public price data',
    request: COMPARE,
    response: COMPARISON,
  };
  const route = adminRoute('POST /config/prices/compare', doc, (call) => compare(deps, call));
  return [{ ...route, maxBodyBytes: MAX_DOCUMENT_BYTES, scanLimits: DOCUMENT_LIMITS }];
}

async function compare(deps: ConfigDeps & { readonly clock: Clock }, call: AdminCall) {
  const { clock } = deps;
  const asked = checked(COMPARE, await call.readJson());
  const { text: given, url, compare: compared } = asked;
  if ((given === undefined) === (url === undefined)) {
    throw new GatewayError('invalid_value', 'Send either `text` or `url`.', { param: 'text' });
  }
  const found = url === undefined ? (given ?? '') : await fetched(url, call, clock);
  const data = await inSlices(priceDataSteps(found), clock);
  if (data === null) {
    throw new GatewayError(
      'invalid_value',
      "This is neither LiteLLM's model_prices_and_context_window.json nor api.json of models.dev.",
      { param: url === undefined ? 'text' : 'url' },
    );
  }
  const { document, revision } = await readNewest(deps);
  const maxJump = parseMultiple(asked.max_jump) ?? 0n;
  const factor = parseMultiple(asked.factor) ?? MULTIPLE_SCALE;
  const options = { compared, maxJump, factor };
  const times = factor === MULTIPLE_SCALE ? '' : ` × ${asked.factor}`;
  const result = await inSlices(comparisonSteps(document, data, options), clock);
  const sourceOf: SourceOf = (entry) =>
    `${NAMES[data.format]}, ${entry}${times}, ${dayOf(clock.nowMs())}`;
  return Response.json(
    { revision, format: data.format, compare: compared, ...comparisonBody(result, sourceOf) },
    { headers: headersAt(revision) },
  );
}

const comparisonBody = (
  { compared, differences, unmatched }: PriceComparison,
  source: SourceOf,
) => ({
  compared,
  data: differences.map(({ entry, hasMore, isRounded, ...each }) => ({
    ...each,
    rounded: isRounded,
    source: source(entry),
    more: hasMore,
  })),
  unmatched: [...unmatched],
});

type SourceOf = (entry: string) => string;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const NAMES = { litellm: 'LiteLLM', 'models.dev': 'models.dev' } as const;

function isPublicUrl(given: string): boolean {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || url.protocol !== 'https:') return false;
  return url.username === '' && url.password === '' && !isPrivateHost(url.hostname);
}

/** Downloads price data. @throws GatewayError `invalid_value` if that fails. */
async function fetched(url: string, { request }: AdminCall, clock: Clock): Promise<string> {
  const options = { allowPrivate: false, maxBytes: MAX_DATA_CHARS, signal: request.signal, clock };
  try {
    return new TextDecoder().decode(
      await downloadFile(url, { ...options, accept: 'application/json' }),
    );
  } catch (thrown) {
    request.signal.throwIfAborted();
    const { message } = thrown instanceof Error ? thrown : new Error(String(thrown));
    throw new GatewayError(
      'invalid_value',
      `The price data could not be read: ${message}. The address must be public, use https, not redirect, and return at most ${MAX_DATA_CHARS} bytes. Or download the file yourself and send it as \`text\`.`,
      { param: 'url', cause: thrown },
    );
  }
}
