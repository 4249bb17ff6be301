/**
 * The images request: its schema, and the checks that are the same for every model. Has no side
 * effects.
 */
import * as z from 'zod';
import { built } from '../../config/document/on-demand.ts';
import { GatewayError } from '../../errors.ts';
import type { JsonObject } from '../../json/object.ts';
import { foldedNames, refuseVariant } from '../field-names.ts';

/** Maximum characters of a prompt in OpenAI's protocol. */
export const MAX_PROMPT_CHARACTERS = 32_000;

/** The defaults of `size`, `quality` and `style` in OpenAI's protocol. A model may have others. */
export const DEFAULT_SIZE = '1024x1024';
export const DEFAULT_QUALITY = 'standard';
export const DEFAULT_STYLE = 'vivid';

/** Maximum partial images in a stream in OpenAI's protocol. */
export const MAX_PARTIAL_IMAGES = 3;

const RESPONSE_FORMATS = ['url', 'b64_json'] as const;

/** The body's schema. Unknown fields are sent only to upstreams whose `pass` allows them. */
export const imagesRequestSchema = built(() =>
  z.looseObject({
    model: z.string().min(1).describe('Id of an image model, such as `img-3`.'),
    prompt: z
      .string()
      .min(1)
      .max(MAX_PROMPT_CHARACTERS)
      .describe('What the image shows, in any language.'),
    n: z.int().min(1).nullish().describe('Number of images; 1 if omitted. `img-3` draws only 1.'),
    size: z.string().nullish().describe('`WIDTHxHEIGHT`; `1024x1024` if omitted.'),
    quality: z.string().nullish().describe('`standard` (default) or `hd`; only for `img-3`.'),
    style: z.string().nullish().describe('`vivid` (default) or `natural`; only for `img-3`.'),
    response_format: z
      .enum(RESPONSE_FORMATS)
      .nullish()
      .describe(
        '`url` (default): a temporary address. `b64_json` (default of edits): the file itself.',
      ),
    background: z
      .string()
      .nullish()
      .describe('`auto`, `opaque` or `transparent`, if the model lists it under `backgrounds`.'),
    output_format: z
      .string()
      .nullish()
      .describe('`png`, `jpeg` or `webp`, if the model lists it under `output_formats`.'),
    output_compression: z
      .int()
      .min(0)
      .max(100)
      .nullish()
      .describe('The quality of JPEG and WebP files, 0 to 100.'),
    moderation: z
      .string()
      .nullish()
      .describe('`auto` or `low`, if the model lists it under `moderations`.'),
    stream: z
      .boolean()
      .nullish()
      .describe(
        'If true, the answer is an event stream with images in base64. Only for models with `max_partial_images`.',
      ),
    partial_images: z
      .int()
      .min(0)
      .max(MAX_PARTIAL_IMAGES)
      .nullish()
      .describe('Maximum number of partial images in a stream; 0 if omitted.'),
    user: z.string().nullish().describe('Id of your end user, for abuse detection.'),
    provider: z
      .looseObject({
        channel: z
          .string()
          .nullish()
          .describe(
            "The channel to use. If the model is not sold on it, the model's default channel is used.",
          ),
        allow_fallbacks: z
          .boolean()
          .nullish()
          .describe('If false, the request fails when the named channel cannot serve it.'),
      })
      .nullish(),
  }),
);

/** A request whose values have valid types. Null means that the caller did not set the value. */
export type ImagesRequest = {
  readonly model: string;
  readonly prompt: string;
  readonly n: number | null;
  readonly size: string | null;
  readonly quality: string | null;
  readonly style: string | null;
  readonly background: string | null;
  readonly moderation: string | null;
  readonly outputFormat: string | null;
  readonly outputCompression: number | null;
  readonly stream: boolean;
  readonly partialImages: number | null;
  readonly responseFormat: (typeof RESPONSE_FORMATS)[number] | null;
  /** The channel that the caller requested. The model may not have this channel. */
  readonly channel: string | null;
  readonly allowFallbacks: boolean;
  readonly user: string | null;
  /** Unknown members of the body. */
  readonly others: JsonObject;
};

/**
 * Reads the fields that have the same meaning for every image model.
 * @throws GatewayError `missing_required_parameter`, `invalid_value` or `unsupported_parameter`.
 */
export function readImagesRequest(view: Record<string, unknown>): ImagesRequest {
  const parsed = imagesRequestSchema().safeParse(view);
  if (!parsed.success) throw firstIssue(view, parsed.error.issues);
  const { model, prompt, n, size, quality, style, user, provider, ...given } = parsed.data;
  return {
    model,
    prompt,
    n: n ?? null,
    size: size ?? null,
    quality: quality ?? null,
    style: style ?? null,
    background: given.background ?? null,
    moderation: given.moderation ?? null,
    outputFormat: given.output_format ?? null,
    outputCompression: given.output_compression ?? null,
    stream: given.stream ?? false,
    partialImages: given.partial_images ?? null,
    responseFormat: given.response_format ?? null,
    channel: provider?.channel ?? null,
    allowFallbacks: provider?.allow_fallbacks ?? true,
    user: user ?? null,
    others: unknownMembers(view),
  };
}

const known = built(() => foldedNames(Object.keys(imagesRequestSchema().shape)));
const knownNames = built((): ReadonlySet<string> => new Set(known().values()));

/**
 * Returns the members of the body that the schema does not list.
 * @throws GatewayError `unsupported_parameter` for a case variant of a known name.
 */
function unknownMembers(view: JsonObject): JsonObject {
  const others = Object.entries(view).filter(([name]) => !knownNames().has(name));
  for (const [name] of others) refuseVariant(name, known());
  return Object.fromEntries(others);
}

/** The requirement on each field, as the end of a sentence that begins with the field's name. */
const EXPECTED: Readonly<Record<string, string>> = {
  model: 'must be the id of an image model, a string',
  prompt: `must be a string of 1 to ${MAX_PROMPT_CHARACTERS} characters`,
  n: 'must be an integer of at least 1, or null',
  size: "must be a string such as '1024x1024', or null",
  quality: 'must be a string or null',
  style: 'must be a string or null',
  response_format: "must be 'url', 'b64_json' or null",
  background: 'must be a string or null',
  output_format: 'must be a string or null',
  output_compression: 'must be an integer from 0 to 100, or null',
  moderation: 'must be a string or null',
  stream: 'must be true, false or null',
  partial_images: `must be an integer from 0 to ${MAX_PARTIAL_IMAGES}, or null`,
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
  const expected = EXPECTED[param] ?? 'has an invalid value';
  if ((param === 'model' || param === 'prompt') && (view[param] ?? null) === null) {
    return new GatewayError(
      'missing_required_parameter',
      `Missing required parameter '${param}'. '${param}' ${expected}.`,
      { param },
    );
  }
  return invalid(param, expected);
}

const MAX_SHOWN_CHARACTERS = 64;

/** Returns an error worded like those of OpenAI's images API. */
export const invalid = (param: string, what: string): GatewayError => {
  const shown = param.slice(0, MAX_SHOWN_CHARACTERS);
  return new GatewayError('invalid_value', `Invalid value: '${shown}' ${what}.`, { param: shown });
};
