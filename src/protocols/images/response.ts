/** Writes answers with images for callers, and reads such answers from upstreams. */
import * as z from 'zod';
import { built } from '../../config/document/on-demand.ts';
import { GatewayError } from '../../errors.ts';
import { asJsonObject, type JsonObject } from '../../json/object.ts';
import type { Served } from '../../money/served.ts';
import { NO_USAGE, promptTokens, tokensOf, type Usage } from '../../money/usage.ts';
import { brokenAnswer } from '../broken-answer.ts';
import { servedFromChat } from '../chat/usage.ts';
import type { CostFields, ReportedError } from '../dialect.ts';
import type { Quirks } from '../quirks.ts';
import {
  disjointParts,
  reportedName,
  tokenCount,
  usageWithCost,
  valueAt,
} from '../usage-object.ts';
import type { ImageForm } from './choice.ts';

type ReportQuirks = Pick<Quirks, 'toolUses' | 'reportedCost'>;

/** An image in the caller's answer: either a URL or the image itself. */
export type ImageItem = ({ readonly url: string } | { readonly b64Json: string }) & {
  /** The prompt after the upstream has rewritten it. Only some models rewrite prompts. */
  readonly revisedPrompt?: string;
};

/**
 * The parameters, usage and cost of images, as an answer reports them. Only answers of models with
 * prices per token report them.
 */
export type DrawnFacts = {
  readonly form: ImageForm;
  /** The tokens that were charged. */
  readonly usage: Usage;
  readonly cost: CostFields;
};

/**
 * Returns the body of an answer. Omits fields without a value, because clients do not expect null.
 */
export function encodeImagesResponse(answer: {
  /** The time of the answer, in Unix seconds. */
  readonly createdSeconds: number;
  readonly images: readonly ImageItem[];
  readonly facts: DrawnFacts | null;
}): string {
  const body = JSON.stringify({
    created: answer.createdSeconds,
    data: answer.images.map((image) => ({
      ...('url' in image ? { url: image.url } : { b64_json: image.b64Json }),
      ...(image.revisedPrompt === undefined ? {} : { revised_prompt: image.revisedPrompt }),
    })),
    ...(answer.facts === null ? {} : plainForm(answer.facts.form)),
  });
  if (answer.facts === null) return body;
  const { usage, cost } = answer.facts;
  return `${body.slice(0, -1)},"usage":${imagesUsage(usage, cost)}}`;
}

/** Omits values of `auto`, which only events of a stream may have. */
const plainForm = (form: ImageForm): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(form).filter(([, value]) => value !== 'auto'));

/** Returns the usage of images as JSON text, with the cost as its last members. */
export function imagesUsage(usage: Usage, cost: CostFields): string {
  const [input, output] = [promptTokens(usage), tokensOf(usage, 'output')];
  const { imageInput, cacheRead, imageOutput } = usage;
  const counts = {
    input_tokens: input,
    input_tokens_details: {
      text_tokens: input - imageInput - cacheRead,
      image_tokens: imageInput,
      cached_tokens: cacheRead,
    },
    output_tokens: output,
    output_tokens_details: { text_tokens: output - imageOutput, image_tokens: imageOutput },
    total_tokens: input + output,
  };
  return usageWithCost(counts, cost);
}

/**
 * An image in an upstream's answer, in any image format: the bytes of the file, or a URL from which
 * to fetch it.
 */
export type DeliveredImage = {
  readonly content: { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly url: string };
  readonly revisedPrompt: string | null;
};

/** The images of an answer, and the usage that the upstream reported for them. */
export type DeliveredImages = {
  readonly images: readonly DeliveredImage[];
  /** The tokens that the upstream counted; null if it reports none, since it charges per image. */
  readonly usage: Usage | null;
  readonly served: Served;
};

export type ImagesAnswer =
  | ({ readonly kind: 'images' } & DeliveredImages)
  /** An error object. Some upstreams send it with the status 200. */
  | { readonly kind: 'error'; readonly error: ReportedError };

const answerSchema = built(() =>
  z.looseObject({
    data: z.array(
      z.looseObject({
        b64_json: z.string().nullish(),
        url: z.string().nullish(),
        revised_prompt: z.string().nullish(),
      }),
    ),
  }),
);

const errorSchema = built(() =>
  z.looseObject({
    error: z.union([
      z.looseObject({
        message: z.string().catch('The provider reported an error without a message.'),
        type: z.string().nullable().catch(null),
        code: z.string().nullable().catch(null),
      }),
      z.string().transform(brokenAnswer),
    ]),
  }),
);

/**
 * Reads a body with status 200.
 * @throws GatewayError `upstream_failed` if it contains neither images nor an error.
 */
export function readImagesAnswer(body: Uint8Array, quirks: ReportQuirks): ImagesAnswer {
  const json = parseJson(body);
  const failed = errorSchema().safeParse(json);
  if (failed.success) {
    const { message, type, code } = failed.data.error;
    return { kind: 'error', error: { message, type, code } };
  }
  const answered = answerSchema().safeParse(json);
  if (!answered.success) {
    throw new GatewayError('upstream_failed', "The provider's answer has no list of images.", {
      cause: answered.error,
    });
  }
  const images = answered.data.data.map(readItem);
  if (images.length === 0) {
    throw new GatewayError('upstream_failed', "The provider's answer has an empty list of images.");
  }
  const { usage } = answered.data;
  return {
    kind: 'images',
    images,
    usage: usageFromImages(usage),
    served: servedImages(answered.data, quirks),
  };
}

/**
 * Returns the facts that the upstream reports about the images. They include size and quality,
 * because some models generate another size or quality than requested.
 */
export const servedImages = (json: JsonObject, quirks: ReportQuirks): Served => ({
  ...servedFromChat(json, quirks),
  size: reportedName(json['size']),
  quality: reportedName(json['quality']),
});

/**
 * Converts the token counts of an images answer to disjoint buckets; null if the counts are missing
 * or one is implausible. Servers that do not count report 0 output tokens, which no image has.
 */
export function usageFromImages(given: unknown): Usage | null {
  const json = asJsonObject(given);
  if (json === null || (json['input_tokens'] ?? json['output_tokens'] ?? null) === null)
    return null;
  const part = (path: string): number => tokenCount(valueAt(json, path));
  const parts = [
    disjointParts(
      part('input_tokens'),
      part('input_tokens_details.cached_tokens'),
      part('input_tokens_details.image_tokens'),
    ),
    // All output tokens are image tokens, except for any text tokens in `output_tokens_details`.
    disjointParts(part('output_tokens'), part('output_tokens_details.text_tokens')),
  ] as const;
  const [[cacheRead = 0, imageInput = 0, input = 0], [output = 0, imageOutput = 0]] = parts;
  if (parts.flat().some(Number.isNaN) || output + imageOutput === 0) return null;
  return { ...NO_USAGE, input, cacheRead, imageInput, output, imageOutput };
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch (cause) {
    throw new GatewayError('upstream_failed', "The provider's answer is not JSON.", {
      cause,
    });
  }
}

function readItem(item: z.infer<ReturnType<typeof answerSchema>>['data'][number]): DeliveredImage {
  const revisedPrompt = item.revised_prompt ?? null;
  // Some servers send a data URL in `url`.
  const inline = item.b64_json || (item.url?.startsWith('data:') ? item.url : null);
  if (inline) return { content: { bytes: decodeBase64(inline) }, revisedPrompt };
  if (item.url) return { content: { url: item.url }, revisedPrompt };
  throw new GatewayError(
    'upstream_failed',
    "The provider's answer contains an image without data.",
  );
}

const DATA_URL = /^data:[^,]{0,100},/;

/**
 * Decodes base64 in the standard or the URL-safe alphabet. The text may have line breaks and the
 * prefix of a data URL.
 */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const plain = text.replace(DATA_URL, '').replaceAll('-', '+').replaceAll('_', '/');
  try {
    return Uint8Array.fromBase64(plain);
  } catch (cause) {
    throw new GatewayError('upstream_failed', 'The provider sent an image with invalid base64.', {
      cause,
    });
  }
}
