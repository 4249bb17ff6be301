/** Reads a provider's list of models for an operator, or explains why it is missing. */
import type { Clock } from '../../../clock.ts';
import type { Config } from '../../../config/config.ts';
import type { Secret } from '../../../config/secret.ts';
import type { UpstreamMake } from '../../../config/upstream-schema.ts';
import {
  egressOf,
  type NetworkSettings,
  networkUpstream,
} from '../../../routing/connected-upstreams.ts';
import { readErrorBody } from '../../../routing/error-body.ts';
import {
  rawOf,
  refusalProblem,
  unansweredCode,
  unansweredProblem,
} from '../../../routing/upstream-check.ts';
import { refusalOf } from '../../../routing/upstream-failure.ts';
import { KNOWN_PRICES_SOURCE, knownPrice } from '../../../upstreams/known-prices.ts';
import {
  type ListedModel,
  type ModelListEnd,
  modelListUrl,
  requestModelList,
} from '../../../upstreams/model-list.ts';
import type { Upstream } from '../../../upstreams/upstream.ts';

/** The name of the unsaved upstream in error messages. */
const NAME = 'new upstream';

type DraftSettings = {
  readonly make: UpstreamMake;
  readonly protocol: 'openai' | 'anthropic';
  readonly base_url: string;
  readonly api_key: Secret | null;
  readonly allow_private: boolean;
};

export type DraftUpstream = { readonly upstream: Upstream; readonly settings: NetworkSettings };

/** Makes an upstream from settings that are not saved yet, so that they can be tested first. */
export function draftUpstream(
  draft: DraftSettings,
  limits: Config['limits'],
  clock: Clock,
): DraftUpstream {
  const { make, protocol, base_url, api_key, allow_private } = draft;
  const settings: NetworkSettings = {
    ...{ make, protocol, base_url, api_key, allow_private },
    headers: {},
    pass: [],
    quirks: {},
  };
  const options = { limits, missing: null, clock, onSignInFailure: () => undefined };
  return { upstream: networkUpstream(NAME, settings, options), settings };
}

export const PROBLEM_CODES = [
  'key',
  'balance',
  'rights',
  'not_found',
  'private_address',
  'unresolved',
  'unreachable',
  'no_tls',
  'certificate',
  'timeout',
  'redirect',
  'not_a_list',
  'too_large',
  'empty',
  'failed',
] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];

export type ProviderModels = {
  readonly listed: readonly ListedModel[];
  readonly leftOut: number;
  readonly problem: {
    readonly code: ProblemCode;
    /** The problem and how to fix it. */
    readonly message: string;
    /** The provider's own error message, without keys. */
    readonly error: string | null;
  } | null;
};

const EMPTY = { listed: [], leftOut: 0 } as const;

/** Requests and reads a provider's list of models. A failure is a `problem`, never an exception. */
export async function listModels(draft: DraftUpstream, clock: Clock): Promise<ProviderModels> {
  const { upstream, settings } = draft;
  const { protocol, base_url: baseUrl, api_key: apiKey, headers } = settings;
  const source = {
    ...{ protocol, baseUrl, headers },
    apiKey: apiKey ?? null,
    egress: egressOf(upstream.name, settings, clock),
  };
  try {
    const end = await requestModelList(source, clock);
    return outcomeOf(end, draft, modelListUrl(source));
  } catch (thrown) {
    const message = unansweredProblem(thrown, { baseUrl });
    return { ...EMPTY, problem: { code: unansweredCode(thrown), message, error: null } };
  }
}

function outcomeOf(end: ModelListEnd, draft: DraftUpstream, url: string): ProviderModels {
  const { upstream, settings } = draft;
  const baseUrl = settings.base_url;
  const problem = (code: ProblemCode, message: string, text = ''): ProviderModels => {
    const error = text === '' ? null : rawOf(text, { upstream, baseUrl });
    return { ...EMPTY, problem: { code, message, error } };
  };
  switch (end.kind) {
    case 'listed':
      return end.models.length > 0
        ? { listed: end.models.map(costed(settings)), leftOut: end.leftOut, problem: null }
        : problem(
            'empty',
            'The list of models is empty. Check the key, or name the models yourself.',
          );
    case 'redirected':
      return problem(
        'redirect',
        'The server answered with a redirect, which is not followed because the key would be sent elsewhere. Check base_url.',
      );
    case 'too_large':
      return problem('too_large', 'The list of models is too large. Name the models yourself.');
    case 'not_a_list':
      return problem(
        'not_a_list',
        `The answer of ${url} is not a list of models. Check base_url, and that the address is not a web page or proxy.`,
        end.text,
      );
    case 'refused':
      return refused(end, url, problem);
  }
}

/** Adds the price of a well-known model, if the provider's list has no price for it. */
const costed =
  ({ make }: DraftUpstream['settings']) =>
  (model: ListedModel): ListedModel => {
    const known = model.cost === null ? knownPrice(make, model.id) : null;
    return known === null ? model : { ...model, cost: { ...known, source: KNOWN_PRICES_SOURCE } };
  };

function refused(
  { status, text }: Extract<ModelListEnd, { kind: 'refused' }>,
  url: string,
  problem: (code: ProblemCode, message: string, text: string) => ProviderModels,
): ProviderModels {
  if (status === 404 || status === 405) {
    const message = `There is no list of models at ${url}. Check base_url, or name the models yourself.`;
    return problem('not_found', message, text);
  }
  const refusal = refusalOf(status, readErrorBody(text));
  const isKnown = refusal === 'key' || refusal === 'balance' || refusal === 'rights';
  const code = isKnown ? refusal : refusal === 'timeout' ? 'timeout' : 'failed';
  return problem(code, refusalProblem(refusal, text, ASKED), text);
}

/**
 * The request that error messages describe. The model is empty, because a request for a list of
 * models names no model.
 */
const ASKED = { model: '', format: 'chat', baseUrl: null } as const;
