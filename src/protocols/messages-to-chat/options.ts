/**
 * Translates the options of a Messages request, such as sampling, the output format and the effort,
 * to members of a chat request.
 */
import { createHash } from 'node:crypto';
import {
  asArray,
  asFilledString,
  asJsonObject,
  asString,
  type JsonObject,
} from '../../json/object.ts';
import type { Placeholders } from '../../json/placeholders.ts';
import { canBeStrict } from '../json-schema.ts';
import { unsupportedParameter, unsupportedValue } from '../validation.ts';

/** Maximum stop sequences in OpenAI's chat protocol. */
const MAX_STOP_SEQUENCES = 4;
/** Maximum characters of a user id in OpenAI's chat protocol. */
const MAX_USER_LENGTH = 64;
/** The name of the schema, which `json_schema` requires. Nothing reads it. */
const SCHEMA_NAME = 'answer';

/**
 * The highest thinking budget, in tokens, that becomes low effort, and the highest that becomes
 * medium effort. Other gateways use the same numbers.
 */
const LOW_THINKING_TOKENS = 2_048;
const MEDIUM_THINKING_TOKENS = 8_192;

export type Options = {
  /** The reasoning effort; null if not set. Sent only to servers that accept `reasoning_effort`. */
  readonly effort: string | null;
  readonly members: JsonObject;
};

/**
 * Translates the options of a request.
 * @throws GatewayError `unsupported_value` or `unsupported_parameter`, which names the option.
 */
export function readOptions(body: JsonObject, placeholders: Placeholders): Options {
  refuseSkills(body['container']);
  const { temperature, top_p: topP } = body;
  const stop = stopSequences(body['stop_sequences']);
  const config = asJsonObject(body['output_config']) ?? {};
  const format = responseFormat(config['format'], 'output_config.format');
  const older = responseFormat(body['output_format'], 'output_format');
  const user = asString(asJsonObject(body['metadata'])?.['user_id']);
  return {
    effort:
      laterEffort(body) ?? asString(config['effort']) ?? effortOf(asJsonObject(body['thinking'])),
    members: {
      ...(typeof temperature === 'number' ? { temperature } : {}),
      ...(typeof topP === 'number' ? { top_p: topP } : {}),
      ...(stop.length === 0 ? {} : { stop }),
      ...((format ?? older) === null ? {} : { response_format: format ?? older }),
      ...(user === null || user === '' ? {} : { user: userName(placeholders.restore(user)) }),
    },
  };
}

/**
 * Returns the output limit; null if not set.
 * @throws GatewayError for 0, which only fills a cache.
 */
export function outputLimit({ max_tokens: limit }: JsonObject): number | null {
  if (limit === 0) {
    throw unsupportedValue(
      'max_tokens',
      'this model cannot warm a cache without an answer; ask for at least 1 token, or skip the ' +
        'request, because the cache of this model needs no warming',
    );
  }
  return typeof limit === 'number' ? limit : null;
}

/** Returns the effort that the last system message in the conversation sets; null without one. */
function laterEffort({ messages }: JsonObject): string | null {
  const efforts = asArray(messages).flatMap((each) => {
    const { role, output_config: config } = asJsonObject(each) ?? {};
    const effort = role === 'system' ? asString(asJsonObject(config)?.['effort']) : null;
    return effort === null ? [] : [effort];
  });
  return efforts.at(-1) ?? null;
}

function effortOf(thinking: JsonObject | null): string | null {
  const { type, budget_tokens: budget } = thinking ?? {};
  if (type !== 'enabled' || typeof budget !== 'number') return null;
  if (budget <= LOW_THINKING_TOKENS) return 'low';
  return budget <= MEDIUM_THINKING_TOKENS ? 'medium' : 'high';
}

function stopSequences(given: unknown): readonly string[] {
  // An empty stop sequence has no effect, so it is omitted.
  const texts = asArray(given).flatMap((each) => asFilledString(each) ?? []);
  if (texts.length <= MAX_STOP_SEQUENCES) return texts;
  throw unsupportedValue(
    `stop_sequences[${MAX_STOP_SEQUENCES}]`,
    `this model takes at most ${MAX_STOP_SEQUENCES} stop sequences, got ${texts.length}; remove some`,
  );
}

function responseFormat(given: unknown, path: string): JsonObject | null {
  const format = asJsonObject(given);
  if (format === null) return null;
  const schema = asJsonObject(format['schema']);
  if (format['type'] !== 'json_schema' || schema === null) {
    throw unsupportedValue(
      path,
      'must be of type "json_schema" with a schema; this model supports no other format',
    );
  }
  const json_schema = { name: SCHEMA_NAME, schema, strict: canBeStrict(schema) };
  return { type: 'json_schema', json_schema };
}

/** Returns a user id that chat servers accept. A long id becomes its digest. */
const userName = (user: string): string =>
  user.length <= MAX_USER_LENGTH ? user : createHash('sha256').update(user).digest('hex');

function refuseSkills(container: unknown): void {
  const skills = asJsonObject(container)?.['skills'];
  if (asArray(skills).length === 0) return;
  throw unsupportedParameter(
    'container.skills',
    "skills run on another provider's servers and are not available with this model; omit them",
  );
}
