/** The route that tests a configured upstream, with one test request per protocol. */
import * as z from 'zod';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { Clock } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import { tokensOf } from '../../money/usage.ts';
import type { TextFormat } from '../../protocols/dialect.ts';
import { checkGoods } from '../../routing/checks/goods-check.ts';
import {
  CHECK_PROBLEMS,
  type CheckResult,
  type CheckTarget,
  checkUpstream,
} from '../../routing/upstream-check.ts';
import { quirksByName, withRouteDrop } from '../../upstreams/known-servers.ts';
import type { Upstream } from '../../upstreams/upstream.ts';
import { count, millis } from '../edge/answer-schema.ts';
import { checked } from '../edge/request-schema.ts';
import { adminRoute, type Call, type Route } from '../edge/route.ts';
import type { ChangedUpstream } from './config/changed-upstream.ts';

const FORMATS = ['chat', 'messages', 'responses'] as const satisfies readonly TextFormat[];
const KINDS = ['chat', 'image', 'embedding'] as const;
type Kind = (typeof KINDS)[number];
/** The format of a test request for each kind of model, except chat models. */
const GOODS = { image: 'images', embedding: 'embeddings' } as const;

const KIND = z.enum(KINDS, { error: `must be one of ${KINDS.join(', ')}` });
const OF_KIND =
  'The kind of the model. A chat model is tested with a request for a few tokens in each protocol, another model with a request for one image or embedding.';
export const TESTED_KIND = KIND.default('chat').meta({ description: OF_KIND });

const ASKED = z.strictObject({
  /** The model's name on the upstream. Default: the upstream's first model of this kind. */
  model: z.string().min(1).max(200).optional(),
  kind: KIND.optional().meta({
    description: `${OF_KIND} By default the kind of the configured model with this route, or else chat.`,
  }),
  change: z.record(z.string(), z.unknown()).optional().meta({
    description:
      'A JSON merge patch of the settings of the upstream. The test uses the changed settings, and saves nothing.',
  }),
});

const text = z.string().nullable();
const CHECK = z
  .strictObject({
    format: z.enum([...FORMATS, ...Object.values(GOODS)]),
    ok: z.boolean(),
    status: count.nullable(),
    status_ms: millis
      .nullable()
      .meta({ description: 'Milliseconds from the request to the status line.' }),
    first_byte_ms: millis
      .nullable()
      .meta({ description: 'Milliseconds from the request to the first byte of the answer.' }),
    usage: z
      .strictObject({
        input_tokens: count,
        cache_read_tokens: count,
        cache_write_tokens: count,
        output_tokens: count,
      })
      .nullable()
      .meta({
        description:
          'The token counts that the answer reports. Each token is in only one of them. Null: the answer reports no counts.',
      }),
    dimensions: count
      .nullable()
      .meta({ description: 'The number of dimensions of the embedding; null for other models.' }),
    problem: text.meta({ description: 'The problem and its remedy; null: the test succeeded.' }),
    problem_code: z
      .enum(CHECK_PROBLEMS)
      .nullable()
      .meta({ description: 'The code of the problem; null: the test succeeded.' }),
    error: text.meta({
      description: "The upstream's error message, with API keys removed; null: no message.",
    }),
  })
  .meta({ id: 'UpstreamCheck' });
export const UPSTREAM_TEST = z
  .strictObject({
    upstream: z.string(),
    model: z.string().meta({ description: "The upstream's name for the model." }),
    ok: z.boolean(),
    checks: z.array(CHECK),
    quirks: z.record(z.string(), z.unknown()).meta({
      description: 'The quirks in force for this model, by their names in the configuration.',
    }),
  })
  .meta({ id: 'UpstreamTest' });

export type AdminUpstreamDeps = {
  readonly upstreams: () => ReadonlyMap<string, Upstream>;
  readonly catalogue: () => Catalogue;
  /** Returns the configured base URL, or null for a built-in upstream. */
  readonly baseUrlOf: (upstream: string) => string | null;
  /**
   * Returns the upstream as it would be after a JSON merge patch of its settings. Does not save the
   * change.
   */
  readonly changed: (upstream: string, patch: unknown) => Promise<ChangedUpstream>;
  readonly clock: Clock;
};

export const adminUpstreamRoutes = (deps: AdminUpstreamDeps): readonly Route[] => [
  adminRoute(
    'POST /upstreams/:name/test',
    {
      summary: 'Test an upstream by requesting a few tokens, an image or an embedding',
      request: ASKED,
      response: UPSTREAM_TEST,
    },
    (call) => test(deps, call),
  ),
];

async function test(deps: AdminUpstreamDeps, call: Call): Promise<Response> {
  const name = call.params['name'] ?? '';
  const known = findUpstream(deps.upstreams(), name);
  const asked = checked(ASKED, await call.readJson());
  const { upstream, baseUrl } =
    asked.change === undefined
      ? { upstream: known, baseUrl: deps.baseUrlOf(name) }
      : await deps.changed(name, asked.change);
  const { kind, model, drop } = chooseModel(deps.catalogue(), name, asked);
  const quirks = withRouteDrop(upstream.quirks, drop);
  return await testAnswer({ upstream, model, quirks, baseUrl }, kind, deps.clock);
}

/**
 * Tests an upstream and answers with the results. A chat model gets a test request in each text
 * protocol of the upstream; an image or embedding model gets one request.
 * @throws GatewayError `invalid_value` if the upstream's protocol cannot serve this kind of model.
 */
export async function testAnswer(
  target: Omit<CheckTarget, 'format'>,
  kind: Kind,
  clock: Clock,
): Promise<Response> {
  const { upstream, model, quirks } = target;
  const checks: CheckResult[] = [];
  if (kind !== 'chat') {
    const format = GOODS[kind];
    if (!upstream.formats.has(format)) {
      const message = `The protocol of this upstream does not support ${format}.`;
      throw new GatewayError('invalid_value', message, { param: 'kind' });
    }
    checks.push(await checkGoods({ ...target, format }, clock));
  }
  for (const format of kind === 'chat' ? FORMATS : []) {
    if (!upstream.formats.has(format)) continue;
    checks.push(await checkUpstream({ ...target, format }, clock));
  }
  return Response.json({
    upstream: upstream.name,
    model,
    ok: checks.every(({ problem }) => problem === null),
    checks: checks.map(checkBody),
    quirks: quirksByName(quirks),
  } satisfies z.infer<typeof UPSTREAM_TEST>);
}

function findUpstream(upstreams: ReadonlyMap<string, Upstream>, name: string): Upstream {
  const upstream = upstreams.get(name);
  if (upstream !== undefined) return upstream;
  throw new GatewayError(
    'not_found',
    `There is no upstream ${JSON.stringify(name.slice(0, 64))}. Known upstreams: ${[...upstreams.keys()].join(', ')}.`,
    { param: 'name' },
  );
}

type Chosen = { readonly kind: Kind; readonly model: string; readonly drop: readonly string[] };

/** Chooses the requested model, or else the upstream's first model of the kind (default: chat). */
function chooseModel(
  { models }: Catalogue,
  upstream: string,
  { kind, model: asked }: Pick<z.infer<typeof ASKED>, 'kind' | 'model'>,
): Chosen {
  const wanted = kind ?? (asked === undefined ? 'chat' : undefined);
  for (const model of models.values()) {
    if (wanted !== undefined && model.kind !== wanted) continue;
    for (const { routes } of model.channels.values()) {
      const route = routes.find(
        (it) => it.upstream === upstream && (asked === undefined || it.model === asked),
      );
      if (route !== undefined) return { kind: model.kind, model: route.model, drop: route.drop };
    }
  }
  if (asked !== undefined) return { kind: kind ?? 'chat', model: asked, drop: [] };
  throw new GatewayError(
    'missing_required_parameter',
    `No ${wanted} model has a route to this upstream. Name the model to test.`,
    { param: 'model' },
  );
}

const checkBody = (check: CheckResult): z.infer<typeof CHECK> => ({
  format: check.format,
  ok: check.problem === null,
  status: check.status,
  status_ms: check.statusMs,
  first_byte_ms: check.firstByteMs,
  usage:
    check.usage === null
      ? null
      : {
          input_tokens: tokensOf(check.usage, 'input'),
          cache_read_tokens: tokensOf(check.usage, 'cache_read'),
          cache_write_tokens: tokensOf(check.usage, 'cache_write'),
          output_tokens: tokensOf(check.usage, 'output'),
        },
  problem: check.problem,
  problem_code: check.code,
  dimensions: check.dimensions,
  error: check.raw,
});
