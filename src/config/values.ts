/** Schemas of common types of values in the configuration. */
import * as z from 'zod';
import { isBaseUrl } from './address.ts';
import { built } from './document/on-demand.ts';
import { Secret } from './secret.ts';
import { parseDuration, parseSize } from './units.ts';

export type Immutable<T> = unknown extends T
  ? T
  : T extends Secret | string | number | boolean | null | undefined
    ? T
    : { readonly [Key in keyof T]: Immutable<T[Key]> };

/**
 * The schemas of secret values, which are masked. The values in `shown`, such as `sqlite`, are not
 * masked. `standIn` is a valid text that is used if a stored secret is not available.
 */
export const secrets = z.registry<{
  readonly shown: readonly string[];
  readonly standIn?: string;
}>();

/**
 * How a text in the configuration is parsed: the resulting type, such as a duration, and the
 * minimum and maximum in the same syntax as the text. An entry in the registry also applies to
 * schemas that are derived from the registered schema.
 */
export type WrittenForm = {
  readonly type: 'duration' | 'size' | 'decimal' | 'list';
  readonly minimum?: string;
  readonly maximum?: string;
};
/**
 * The schemas of texts that are parsed to another type. This type decides which input field a form
 * shows for the setting.
 */
export const writtenForms = z.registry<WrittenForm>();

/**
 * Accepts a text if `parse` returns a value for it. For any other text, `remedy` is the error
 * message.
 */
export const parsed = <T>(parse: (text: string) => T | null, remedy: string) =>
  z.string({ error: remedy }).transform((text, context): T => {
    const value = parse(text);
    if (value !== null) return value;
    context.addIssue(remedy);
    return z.NEVER;
  });

/** A duration written as `60m`, converted to milliseconds. */
export const duration = built(() =>
  parsed(parseDuration, 'write a duration such as 15s, 60m or 2h').register(writtenForms, {
    type: 'duration',
  }),
);
/** The maximum timeout. A timer of more than 2^31 ms, about 24.8 days, would fire at once. */
const LONGEST_DEADLINE_MS = 24 * 24 * 60 * 60 * 1000;
/** A timeout in milliseconds. Zero is not allowed, since every request would fail. */
export const deadline = built(() =>
  duration()
    .refine((ms) => ms > 0 && ms <= LONGEST_DEADLINE_MS, 'must be longer than 0s and at most 24d')
    .register(writtenForms, { type: 'duration', minimum: '1ms', maximum: '24d' }),
);
/**
 * The maximum time for which settings may leave a connection silent. The server closes a connection
 * after 255 seconds without data.
 */
const MAX_SILENCE_MS = 240_000;
/**
 * Rejects a duration above `MAX_SILENCE_MS`, since the server could close a connection that stays
 * silent for longer.
 */
export const silence = (of: ReturnType<typeof duration>) =>
  of
    .refine(
      (ms) => ms <= MAX_SILENCE_MS,
      'must be at most 4m, after which the server closes a silent connection',
    )
    .register(writtenForms, { type: 'duration', maximum: '4m' });
/** The minimum length of a session. A shorter session would end while a person reads a page. */
const SHORTEST_SESSION_MS = 5 * 60 * 1000;
/** The maximum length of a session. In a longer session, people forget that they are signed in. */
const LONGEST_SESSION_MS = 365 * 24 * 60 * 60 * 1000;
/** The maximum length or idle time of a session, converted to milliseconds. */
export const sessionTime = built(() =>
  duration()
    .refine(
      (ms) => ms >= SHORTEST_SESSION_MS && ms <= LONGEST_SESSION_MS,
      'must be from 5m to 365d',
    )
    .register(writtenForms, { type: 'duration', minimum: '5m', maximum: '365d' }),
);
/** A size written as `32MiB`, converted to bytes. Zero is not allowed: no answer would fit. */
export const size = built(() =>
  parsed(parseSize, 'write a size such as 32MiB')
    .refine((bytes) => bytes > 0, 'must be larger than 0')
    .register(writtenForms, { type: 'size' }),
);

export const nodeName = built(() =>
  z.string().regex(/^[\w.-]{1,64}$/, 'write up to 64 letters, digits, ".", "_" and "-"'),
);
export const text = built(() => z.string().min(1, 'must not be empty'));
export const count = (min: number, max: number) => {
  const error = `write a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, error).max(max, error);
};
/**
 * Accepts secret text that satisfies `form`. The text is masked wherever settings are displayed.
 */
export const secretOf = (form: z.ZodString) => {
  const hidden = form.transform((value) => new Secret(value));
  secrets.add(hidden, { shown: [] });
  return hidden;
};
export const secret = built(() => secretOf(text()));
/** A secret that is compared or sent unchanged. It must not be empty, or anyone could send it. */
export const sharedSecret = built(() =>
  secretOf(z.string().regex(/^\S+$/, 'must not be empty or contain spaces')),
);

export const baseUrl = built(() =>
  z.string().refine(isBaseUrl, 'write an http or https address without credentials, "?" and "#"'),
);
/** A URL to which paths are appended, without trailing slashes; null when not set. */
export const optionalBaseUrl = built(() =>
  baseUrl()
    .transform((url) => url.replace(/\/+$/, ''))
    .nullable()
    .default(null),
);

/** The name of a top-level request field. */
export const fieldName = built(() =>
  z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'write the name of a request field'),
);

/** Fields that `drop` must not contain: each request needs its model, prompt and `stream`. */
const NEEDED_FIELDS: readonly string[] = ['model', 'messages', 'input', 'prompt', 'stream'];
/** Fields that limit the output. Without such a limit, an answer could cost more than its hold. */
const LIMIT_FIELDS: readonly string[] = [
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
];
/** The name of a field that is not sent to an upstream. */
export const droppedField = built(() =>
  fieldName()
    .refine((name) => !NEEDED_FIELDS.includes(name), 'cannot be dropped: every request needs it')
    .refine(
      (name) => !LIMIT_FIELDS.includes(name),
      'cannot be dropped: it limits what an answer costs; name the field that the server knows in quirks.max_tokens_field',
    ),
);

export const headerName = built(() =>
  z.string().regex(/^[!#$%&'*+.^`|~\w-]+$/, 'is not a valid header name'),
);
export const headerText = built(() =>
  z.string().regex(/^[\t\x20-\x7e]+$/, 'must be printable ASCII on one line'),
);
