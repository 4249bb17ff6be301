/**
 * Routes for connecting a provider: the known providers, a test of settings that are not saved yet,
 * and the provider's list of models. Outgoing calls follow the same rules as for saved upstreams.
 */
import * as z from 'zod';
import type { Clock } from '../../../clock.ts';
import { isBaseUrl, isPrivateHost } from '../../../config/address.ts';
import type { Config } from '../../../config/config.ts';
import { Secret } from '../../../config/secret.ts';
import { MAKES } from '../../../config/upstream-schema.ts';
import { GatewayError } from '../../../errors.ts';
import { KNOWN_PROVIDERS } from '../../../upstreams/known-providers.ts';
import { type ListedModel, MAX_LISTED } from '../../../upstreams/model-list.ts';
import { count } from '../../edge/answer-schema.ts';
import { checked, text, trueOrFalse } from '../../edge/request-schema.ts';
import { type AdminCall, adminRoute, type Register, type Route } from '../../edge/route.ts';
import { TESTED_KIND, testAnswer, UPSTREAM_TEST } from '../admin-upstream-routes.ts';
import { type DraftUpstream, draftUpstream, listModels, PROBLEM_CODES } from './provider-models.ts';

const MAX_KEY_CHARS = 8_192;
const MAX_URL_CHARS = 500;
const MAX_MODEL_CHARS = 200;

const DRAFT = {
  make: z.enum(MAKES, { error: `must be one of ${MAKES.join(', ')}` }),
  protocol: z.enum(['openai', 'anthropic'], { error: 'must be openai or anthropic' }),
  base_url: text(MAX_URL_CHARS)
    .refine(isBaseUrl, 'must be an http or https address without credentials, query or fragment')
    .meta({ description: 'The base URL, as in `base_url` of an upstream.' }),
  api_key: text(MAX_KEY_CHARS)
    .refine((key) => /^[!-~]+$/.test(key), 'must not contain spaces or line breaks')
    .nullable()
    .meta({
      description: 'The API key, which is used for this call only; null: the server needs none.',
    }),
  allow_private: trueOrFalse
    .default(false)
    .meta({ description: 'Whether the address may be in a private network.' }),
};
const LIST_DRAFT = z.strictObject(DRAFT);
const TEST_DRAFT = z.strictObject({
  ...DRAFT,
  model: text(MAX_MODEL_CHARS).meta({ description: "The provider's name for the model." }),
  kind: TESTED_KIND,
});

const KNOWN = z.strictObject({
  data: z.array(
    z
      .strictObject({
        make: z.enum(MAKES),
        name: z.string(),
        protocol: z.enum(['openai', 'anthropic']),
        base_url: z
          .string()
          .nullable()
          .meta({ description: 'The usual base URL of the provider, if it has one.' }),
        needs_key: z.boolean(),
        own_server: z.boolean().meta({
          description:
            'Whether operators run this server themselves, usually in a private network.',
        }),
      })
      .meta({ id: 'Provider' }),
  ),
});

const perMillion = z.string().meta({ description: 'USD per 1M tokens, a decimal string.' });
const tokens = z.int().min(1).nullable();
const LIST = z
  .strictObject({
    data: z.array(
      z
        .strictObject({
          id: z.string().meta({ description: "The provider's name for the model." }),
          name: z.string().nullable(),
          context_window: tokens,
          max_output: tokens,
          reads_images: z.boolean(),
          cost: z
            .strictObject({
              input: perMillion,
              output: perMillion,
              source: z.string().nullable().meta({
                description: "Where the price was read; null: in the provider's list of models.",
              }),
            })
            .nullable()
            .meta({
              description:
                'The price at the provider, if its list has one or the model is well known; null: unknown.',
            }),
        })
        .meta({ id: 'ProviderModel' }),
    ),
    left_out: count.meta({
      description: `The number of entries that are left out: those after the first ${MAX_LISTED}, without a usable id, or listed twice.`,
    }),
    problem: z
      .strictObject({
        code: z.enum(PROBLEM_CODES),
        message: z.string().meta({ description: 'The problem and its remedy.' }),
        error: z
          .string()
          .nullable()
          .meta({ description: "The provider's error message, with API keys removed." }),
      })
      .nullable()
      .meta({
        id: 'ProviderProblem',
        description: 'Why there is no list of models; null: there is one.',
      }),
  })
  .meta({ id: 'ProviderModels' });

export type AdminProviderDeps = {
  readonly limits: () => Config['limits'];
  /** Returns a configured upstream; null for a built-in one or an unknown name. */
  readonly connected: (name: string) => DraftUpstream | null;
  readonly clock: Clock;
};
type Handle = (deps: AdminProviderDeps, call: AdminCall) => Promise<Response>;

export function adminProviderRoutes(deps: AdminProviderDeps): readonly Route[] {
  const route: Register<Handle> = (at, doc, handle) =>
    adminRoute(at, doc, (call) => handle(deps, call));
  return [
    route(
      'GET /providers',
      { summary: 'List the known providers and kinds of server software', response: KNOWN },
      known,
    ),
    route(
      'POST /providers/test',
      {
        summary:
          'Test a provider before it is saved, by requesting a few tokens, an image or an embedding',
        request: TEST_DRAFT,
        response: UPSTREAM_TEST,
      },
      test,
    ),
    route(
      'POST /providers/models',
      { summary: "Read a provider's list of models", request: LIST_DRAFT, response: LIST },
      models,
    ),
    route(
      'POST /upstreams/:name/models',
      { summary: "Read an upstream's list of models", response: LIST },
      modelsOfUpstream,
    ),
  ];
}

const known: Handle = async () =>
  Response.json({
    data: Object.entries(KNOWN_PROVIDERS).map(([make, provider]) => ({
      make: z.enum(MAKES).parse(make),
      name: provider.name,
      protocol: provider.protocol,
      base_url: provider.baseUrl,
      needs_key: provider.needsKey,
      own_server: provider.isOwnServer,
    })),
  } satisfies z.infer<typeof KNOWN>);

const test: Handle = async (deps, call) => {
  const { model, kind, ...draft } = checked(TEST_DRAFT, await call.readJson());
  const { upstream, settings } = upstreamOf(deps, draft);
  const { quirks } = upstream;
  const { base_url: baseUrl } = settings;
  return await testAnswer({ upstream, model, quirks, baseUrl }, kind, deps.clock);
};

const models: Handle = async (deps, call) => {
  const draft = checked(LIST_DRAFT, await call.readJson());
  return await listAnswer(upstreamOf(deps, draft), deps.clock);
};

const modelsOfUpstream: Handle = async ({ connected, clock }, { params }) => {
  const name = params['name'] ?? '';
  const upstream = connected(name);
  if (upstream !== null) return await listAnswer(upstream, clock);
  const shown = JSON.stringify(name.slice(0, 64));
  throw new GatewayError('not_found', `There is no upstream ${shown} with a list of models.`, {
    param: 'name',
  });
};

async function listAnswer(upstream: DraftUpstream, clock: Clock): Promise<Response> {
  const { listed, leftOut, problem } = await listModels(upstream, clock);
  const body: z.infer<typeof LIST> = {
    data: listed.map(modelBody),
    left_out: leftOut,
    problem,
  };
  return Response.json(body);
}

/**
 * Makes an upstream from unsaved settings.
 * @throws GatewayError `invalid_value` for a private address that is not allowed.
 */
function upstreamOf({ limits, clock }: AdminProviderDeps, draft: z.infer<typeof LIST_DRAFT>) {
  const { base_url: baseUrl, allow_private: allowPrivate, api_key: key } = draft;
  if (!allowPrivate && isPrivateHost(new URL(baseUrl).hostname)) {
    throw new GatewayError(
      'invalid_value',
      'base_url is a private address. Set allow_private to true if this is intended.',
      { param: 'base_url' },
    );
  }
  const apiKey = key === null ? null : new Secret(key);
  return draftUpstream({ ...draft, api_key: apiKey }, limits(), clock);
}

const modelBody = (model: ListedModel): z.infer<typeof LIST>['data'][number] => ({
  id: model.id,
  name: model.name,
  context_window: model.contextWindow,
  max_output: model.maxOutput,
  reads_images: model.readsImages,
  cost: model.cost,
});
