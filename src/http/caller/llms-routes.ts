/** Serves `/llms.txt`: a Markdown description of the gateway and its models for language models. */
import { announcedCards } from '../../catalogue/announced.ts';
import type { Card, Catalogue, Channel, Model } from '../../catalogue/catalogue.ts';
import { PRICE_ROWS } from '../../money/usage.ts';
import type { Route, RouteDoc } from '../edge/route.ts';
import { isoSeconds, termsBody } from './catalogue-body.ts';

export type LlmsText = {
  /** The public name of the operator's site. */
  readonly name: string;
  readonly publicUrl: string;
  /** All routes of the gateway; the text lists only the routes for callers. */
  readonly routes: readonly Route[];
  /** The catalogue; null if callers need a key to read it. */
  readonly catalogue: Catalogue | null;
};

/** Caches may keep the text only for a minute, because it contains prices. */
const HEADERS = {
  'content-type': 'text/markdown; charset=utf-8',
  'cache-control': 'public, max-age=60',
} as const;

export const llmsRoutes = (text: () => LlmsText): readonly Route[] => [
  {
    method: 'GET',
    path: '/llms.txt',
    auth: 'public',
    dialect: 'both',
    doc: {
      summary: 'Describe this gateway and its models, for language models',
      tag: 'service',
      mediaTypes: ['text/markdown'],
    },
    handle: async () => new Response(llmsText(text()), { headers: HEADERS }),
  },
];

/** The tags of the routes to list. Other routes are for people, operators and probes. */
const CALLERS_TAGS: readonly RouteDoc['tag'][] = [
  'chat',
  'messages',
  'responses',
  'images',
  'embeddings',
  'catalogue',
  'account',
];
/** The text omits routes with this prefix, because it lists the same routes under `/v1`. */
const OTHER_PREFIX = '/v2/';
/** The regular expression in a path parameter such as `:id{.+}`, which readers do not need. */
const PATTERN = /\{[^}]*\}/g;

const llmsText = ({ name, publicUrl, routes, catalogue }: LlmsText): string =>
  [
    introduction(name),
    addresses(publicUrl),
    endpoints(routes),
    catalogue === null ? CLOSED : models(catalogue),
    links(publicUrl),
  ].join('\n\n');

const introduction = (name: string): string => `# ${name}

> One gateway in front of many hosted AI models. It speaks OpenAI chat completions, Responses, images and embeddings, Anthropic Messages and the Gemini API; every chat model answers on chat completions, Responses, Messages and the Gemini API. Each request is charged exactly, from a prepaid balance, and every answer states its cost.

- Send an API key (\`sk-mg-...\`) as \`Authorization: Bearer KEY\`, \`x-api-key: KEY\`, \`api-key: KEY\` or \`x-goog-api-key: KEY\`.
- A model is sold over up to three channels (\`direct\`, \`stable\`, \`economical\`). Choose with \`"provider": {"channel": "NAME"}\` in the body; if a model does not have the channel, its default channel serves the request.
- Answers carry the cost in \`usage.cost_exact\` and the header \`x-cost\`. \`GET /v1/generation?id=X_REQUEST_ID\` returns the record of a finished request.
- 402 means that the balance does not cover the request; 429 and 503 come with \`retry-after\`.`;

const CLOSED = `## Models

\`GET /v1/models\` lists them, with a key.`;

const addresses = (publicUrl: string): string => `## Base addresses

- OpenAI clients: \`${publicUrl}/v2\`
- Anthropic and Google clients: \`${publicUrl}\`
- Azure OpenAI clients: \`${publicUrl}\` as endpoint, a model's name as deployment`;

function endpoints(routes: readonly Route[]): string {
  const lines = routes
    .filter(
      ({ path, doc, isAlias }) =>
        CALLERS_TAGS.includes(doc.tag) && !path.startsWith(OTHER_PREFIX) && !isAlias,
    )
    .map(({ method, path, doc }) => `- \`${method} ${path.replace(PATTERN, '')}\`: ${doc.summary}`);
  return `## Endpoints\n\nEach path under \`/v1\` answers under \`/v2\` as well.\n\n${lines.join('\n')}`;
}

function models({ models: sold }: Catalogue): string {
  const lines = [...sold.values()].flatMap((model) => [
    `- \`${model.id}\` (${model.name}, by ${model.maker}): ${facts(model)}`,
    ...(model.description === null ? [] : [`  - ${oneLine(model.description.en)}`]),
    ...[...model.channels.values()].map((channel: Channel<Card>) =>
      [
        `  - ${channel.name}${channel.name === model.defaultChannel ? ' (default)' : ''}: ${price(channel.card)}`,
        ...terms(channel.card).map((line) => `    - ${line}`),
        ...announcedCards(channel).map(
          ({ fromMs, card }) => `    - from ${isoSeconds(fromMs)}: ${price(card)}`,
        ),
      ].join('\n'),
    ),
  ]);
  return `## Models\n\nPrices in USD, for 1M tokens or for one image.\n\n${lines.join('\n')}`;
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

function facts(model: Model): string {
  const input = `accepts ${model.input.join(', ')}`;
  const settlement = model.settlement === 'USD' ? '' : `; settled in ${model.settlement}`;
  if (model.kind === 'image') {
    const bounds = [...model.imageTokens].map(([key, tokens]) => `${key} ${tokens}`);
    const most = bounds.length === 0 ? '' : `; output tokens of an image: ${bounds.join(', ')}`;
    const edits =
      model.maxInputImages === 0 ? '' : `; edits of up to ${model.maxInputImages} images`;
    const streams = model.partialImages === null ? '' : '; streams';
    return `images of ${model.sizes.join(', ')}, at most ${model.maxImages} at once${edits}${streams}${most}${settlement}`;
  }
  if (model.kind === 'embedding') {
    const shorter =
      model.minDimensions === null ? '' : ` (a request may ask for ${model.minDimensions} or more)`;
    return `embeddings of ${model.dimensions} dimensions${shorter}; inputs of up to ${model.contextWindow} tokens, at most ${model.maxInputs} at once${settlement}`;
  }
  return `chat; ${input}; context of ${model.contextWindow} tokens, answers of up to ${model.maxOutput}${settlement}`;
}

/**
 * Returns a line for each row of prices, each multiple and each fee of a price card, in the order
 * in which they apply.
 */
function terms(card: Card): readonly string[] {
  const body = card.unit === 'token' ? termsBody(card.terms) : null;
  if (body === null) return [];
  return [
    ...body.rows.map((row) => {
      const prices = PRICE_ROWS.flatMap(({ price: key, label }) =>
        card.unit === 'token' && card.listed[key] !== null
          ? [`${label} ${row[key] ?? 'not sold'}`]
          : [],
      );
      return `${row.when}: ${row.sold ? prices.join(', ') : 'not sold'}`;
    }),
    ...body.times.map(({ when, of, multiple }) => `${when || 'always'}: ${of} times ${multiple}`),
    ...body.fees.map(({ unit, fee }) => `${unit}: ${fee} per use`),
  ];
}

function price(card: Card): string {
  const listed =
    card.unit === 'token'
      ? PRICE_ROWS.map(({ price: key, label }) => [label, card.listed[key]] as const)
      : Object.entries(card.listed);
  const prices = listed.flatMap(([name, value]) => (value === null ? [] : [`${name} ${value}`]));
  return prices.join(', ') + (card.example ? ' (an example price)' : '');
}

const links = (publicUrl: string): string => `## More

- [Every endpoint, with its schemas](${publicUrl}/openapi.json): OpenAPI 3.1
- [The same reference for people](${publicUrl}/console/reference)
- [Models](${publicUrl}/console/models)
- [Status](${publicUrl}/console/status), and [as JSON](${publicUrl}/status.json)
- [Console](${publicUrl}/console): keys, usage, billing
`;
