/** Sends one image request. Errors are not thrown but are part of the result. */
import { ApiError } from '#api/api-error.ts';
import { asList, asObject, asText, parseObject } from '#api/json.ts';
import { shownAccount } from '#api/shown-account.ts';
import { bodyOf, type ImageForm, requestOf } from './image-form.ts';

const PATH = '/console/api/images/generations';
/** The format of a cost, such as `0.040000000 USD`. */
const COST = /^(\S+) (\S+)$/;

export type Picture = {
  /** The URL of the image: a temporary URL or a data URL. */
  readonly src: string;
  /** The prompt as revised by the model; null when unchanged. */
  readonly revisedPrompt: string | null;
};

export type Generated = {
  readonly pictures: readonly Picture[];
  readonly requestId: string | null;
  readonly channel: string | null;
  /** The cost; null when the gateway did not report it. */
  readonly cost: { readonly amount: string; readonly currency: string } | null;
  /** When the URLs expire, in ISO 8601; null when they do not expire. */
  readonly expiresAt: string | null;
};

export type GenerateResult =
  | { readonly phase: 'done'; readonly generated: Generated }
  | { readonly phase: 'failed'; readonly error: ApiError }
  | { readonly phase: 'stopped' };

export type GenerateDeps = {
  readonly fetch: (path: string, init: RequestInit) => Promise<Response>;
};

/**
 * Sends an image request.
 * @param key the idempotency key. The same key returns the first result again.
 */
export async function generateImages(
  { fetch }: GenerateDeps,
  form: ImageForm,
  key: string,
  signal: AbortSignal,
): Promise<GenerateResult> {
  try {
    const response = await fetch(PATH, {
      method: 'POST',
      credentials: 'same-origin',
      headers: {
        ...shownAccount(),
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(bodyOf(requestOf(form))),
      signal,
    });
    const body = parseObject(await response.text());
    // A slow answer begins with status 200 before its result is known, so the result may still be
    // an error.
    if (!response.ok || body === null || asObject(body['error']) !== null) {
      return { phase: 'failed', error: ApiError.of(response, body) };
    }
    return {
      phase: 'done',
      generated: {
        ...factsOf(response),
        pictures: picturesOf(body['data'], asText(body['output_format']) || 'png'),
      },
    };
  } catch (thrown) {
    if (signal.aborted) return { phase: 'stopped' };
    return { phase: 'failed', error: ApiError.unreachable(thrown) };
  }
}

function factsOf({ headers }: Response): Omit<Generated, 'pictures'> {
  const [, amount, currency] = COST.exec(headers.get('x-cost') ?? '') ?? [];
  return {
    requestId: headers.get('x-request-id'),
    channel: headers.get('x-channel'),
    cost: amount === undefined || currency === undefined ? null : { amount, currency },
    expiresAt: headers.get('x-image-expires'),
  };
}

const picturesOf = (data: unknown, format: string): readonly Picture[] =>
  asList(data)
    .map(asObject)
    .filter((item) => item !== null)
    .map(({ url, b64_json: base64, revised_prompt: revised }) => ({
      src: asText(url) || `data:image/${format};base64,${asText(base64)}`,
      revisedPrompt: asText(revised) || null,
    }));
