/** The images request: its schema, and the checks that are the same for every model. Pure. */
import { z } from 'zod';
import { GatewayError } from '../../errors.ts';
import type { JsonObject } from '../../json/object.ts';
import { foldedNames, refuseVariant } from '../field-names.ts';

/** Longest prompt of the public protocol. A longer prompt is a mistake or an attack. */
export const MAX_PROMPT_CHARACTERS = 32_000;

/** The values of `size`, `quality` and `style` when they are absent or null. */
export const DEFAULT_SIZE = '1024x1024';
export const DEFAULT_QUALITY = 'standard';
export const DEFAULT_STYLE = 'vivid';

const RESPONSE_FORMATS = ['url', 'b64_json'] as const;

/** The body of a request. Unknown fields are sent only to upstreams whose `pass` allows them. */
export const imagesRequestSchema = z.looseObject({
  model: z.string().min(1).describe('Id of an image model, such as `img-3`.'),
  prompt: z
    .string()
    .min(1)
    .max(MAX_PROMPT_CHARACTERS)
    .describe('What the image shows, in any language.'),
  n: z.int().min(1).nullish().describe('How many images; 1 when absent. `img-3` draws only 1.'),
  size: z.string().nullish().describe('`WIDTHxHEIGHT`; `1024x1024` when absent.'),
  quality: z.string().nullish().describe('`standard` (default) or `hd`; `img-3` only.'),
  style: z.string().nullish().describe('`vivid` (default) or `natural`; `img-3` only.'),
  response_format: z
    .enum(RESPONSE_FORMATS)
    .nullish()
    .describe('`url` (default): a temporary address. `b64_json`: the PNG itself in base64.'),
  user: z.string().nullish().describe('Your end user, for abuse detection.'),
  provider: z
    .looseObject({
      channel: z
        .string()
        .nullish()
        .describe('Service channel; one the model lacks is served on its default channel.'),
      allow_fallbacks: z
        .boolean()
        .nullish()
        .describe('false: fail rather than answer on another channel than the one named.'),
    })
    .nullish(),
});

/** A request with valid types. Null means that the caller wants the default. */
export type ImagesRequest = {
  readonly model: string;
  readonly prompt: string;
  readonly n: number | null;
  readonly size: string | null;
  readonly quality: string | null;
  readonly style: string | null;
  readonly responseFormat: (typeof RESPONSE_FORMATS)[number];
  /** The channel as the caller wrote it, which the model may lack. */
  readonly channel: string | null;
  readonly allowFallbacks: boolean;
  readonly user: string | null;
  /** Unknown members of the body. */
  readonly others: JsonObject;
};

/**
 * Fields of other image models. The listed values ask for what the gateway does anyway, so they are
 * accepted. Other values are refused: the caller would pay for an image that differs from the
 * requested one.
 */
const UNSUPPORTED_FIELDS: Readonly<Record<string, readonly unknown[]>> = {
  stream: [false],
  partial_images: [0],
  background: ['auto', 'opaque'],
  output_format: ['png'],
  output_compression: [100],
  moderation: ['auto'],
};

/**
 * Reads the fields that have the same meaning for every image model.
 * @throws GatewayError `missing_required_parameter`, `invalid_value` or `unsupported_parameter`.
 */
export function readImagesRequest(view: Record<string, unknown>): ImagesRequest {
  const parsed = imagesRequestSchema.safeParse(view);
  if (!parsed.success) throw firstIssue(view, parsed.error.issues);
  refuseUnsupportedFields(view);
  const { model, prompt, n, size, quality, style, response_format, user, provider } = parsed.data;
  return {
    model,
    prompt,
    n: n ?? null,
    size: size ?? null,
    quality: quality ?? null,
    style: style ?? null,
    responseFormat: response_format ?? 'url',
    channel: provider?.channel ?? null,
    allowFallbacks: provider?.allow_fallbacks ?? true,
    user: user ?? null,
    others: unknownMembers(view),
  };
}

const KNOWN = foldedNames([
  ...Object.keys(imagesRequestSchema.shape),
  ...Object.keys(UNSUPPORTED_FIELDS),
]);
const KNOWN_NAMES: ReadonlySet<string> = new Set(KNOWN.values());

/** @throws GatewayError `unsupported_parameter` for a case variant of a known name. */
function unknownMembers(view: JsonObject): JsonObject {
  const others = Object.entries(view).filter(([name]) => !KNOWN_NAMES.has(name));
  for (const [name] of others) refuseVariant(name, KNOWN);
  return Object.fromEntries(others);
}

/** What each field must be, as the end of a sentence that starts with the field's name. */
const EXPECTED: Readonly<Record<string, string>> = {
  model: 'must be the id of an image model, a string',
  prompt: `must be a string of 1 to ${MAX_PROMPT_CHARACTERS} characters`,
  n: 'must be an integer of at least 1, or null',
  size: "must be a string such as '1024x1024', or null",
  quality: 'must be a string or null',
  style: 'must be a string or null',
  response_format: "must be 'url', 'b64_json' or null",
  user: 'must be a string or null',
  provider: 'must be an object such as {"channel": "direct"}, or null',
  'provider.channel': 'must be a string or null',
  'provider.allow_fallbacks': 'must be true, false or null',
};

function firstIssue(
  view: Record<string, unknown>,
  issues: readonly z.core.$ZodIssue[],
): GatewayError {
  const param = issues[0]?.path.join('.') ?? '';
  const expected = `'${param}' ${EXPECTED[param] ?? 'has an invalid value'}.`;
  if ((param === 'model' || param === 'prompt') && (view[param] ?? null) === null) {
    return new GatewayError(
      'missing_required_parameter',
      `Missing required parameter '${param}'. ${expected}`,
      { param },
    );
  }
  return new GatewayError('invalid_value', `Invalid value: ${expected}`, { param });
}

function refuseUnsupportedFields(view: Record<string, unknown>): void {
  for (const [param, harmless] of Object.entries(UNSUPPORTED_FIELDS)) {
    const value = view[param] ?? null;
    if (value === null || harmless.includes(value)) continue;
    throw new GatewayError(
      'unsupported_parameter',
      `'${param}' is not supported for image generation here: omit it, or send ` +
        `${harmless.map((each) => JSON.stringify(each)).join(' or ')}.`,
      { param },
    );
  }
}
