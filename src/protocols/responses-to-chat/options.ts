/**
 * Translates the options of a Responses request into members of a chat request, such as sampling,
 * the output format and the effort.
 */
import { asArray, asJsonObject, asString, type JsonObject } from '../../json/object.ts';
import { unsupportedValue } from '../validation.ts';

export type Options = {
  /** Members of the chat request that do not depend on the server. */
  readonly members: JsonObject;
  readonly effort: string | null;
  readonly maxTokens: number | null;
};

/**
 * Translates the options of a request.
 * @throws GatewayError `unsupported_value` for `reasoning.mode: "pro"`.
 */
export function readOptions(request: JsonObject): Options {
  const { reasoning, text } = withUpdates(request);
  if (reasoning['mode'] === 'pro') {
    throw unsupportedValue(
      'reasoning.mode',
      'this model has no pro mode; omit it, or send an effort',
    );
  }
  const { temperature, top_p: topP, max_output_tokens: maxTokens } = request;
  const format = responseFormat(asJsonObject(text['format']));
  const verbosity = asString(text['verbosity']);
  const tier = asString(request['service_tier']);
  return {
    members: {
      ...(typeof temperature === 'number' ? { temperature } : {}),
      ...(typeof topP === 'number' ? { top_p: topP } : {}),
      ...logprobs(request),
      ...(format === null ? {} : { response_format: format }),
      ...(verbosity === null ? {} : { verbosity }),
      ...(tier === null ? {} : { service_tier: tier }),
    },
    effort: asString(reasoning['effort']),
    maxTokens: typeof maxTokens === 'number' ? maxTokens : null,
  };
}

type Updated = { readonly reasoning: JsonObject; readonly text: JsonObject };

/**
 * Returns the options `reasoning` and `text`, with the changes that items of `input` make to them,
 * in order.
 */
function withUpdates(request: JsonObject): Updated {
  let reasoning = asJsonObject(request['reasoning']) ?? {};
  let text = asJsonObject(request['text']) ?? {};
  for (const each of asArray(request['input'])) {
    const item = asJsonObject(each);
    if (item?.['type'] !== 'configuration_update') continue;
    reasoning = { ...reasoning, ...asJsonObject(item['reasoning']) };
    text = { ...text, ...asJsonObject(item['text']) };
  }
  return { reasoning, text };
}

/** The value of `include` that asks for log probabilities. */
export const LOGPROBS = 'message.output_text.logprobs';

function logprobs({ include, top_logprobs: top }: JsonObject): JsonObject {
  const most = typeof top === 'number' && top > 0 ? top : 0;
  if (most === 0 && !asArray(include).includes(LOGPROBS)) return {};
  return { logprobs: true, ...(most === 0 ? {} : { top_logprobs: most }) };
}

function responseFormat(format: JsonObject | null): JsonObject | null {
  if (format === null) return null;
  const { type, name, schema, description, strict } = format;
  if (type === 'json_object') return { type };
  if (type !== 'json_schema') return null;
  return {
    type,
    json_schema: {
      name,
      ...(typeof description === 'string' ? { description } : {}),
      ...(asJsonObject(schema) === null ? {} : { schema }),
      ...(typeof strict === 'boolean' ? { strict } : {}),
    },
  };
}
