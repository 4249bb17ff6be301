/** Fetches a provider's report over HTTP, page by page, and checks the shape of its JSON. */
import * as z from 'zod';
import type { Clock } from '../clock.ts';
import { built } from '../config/document/on-demand.ts';
import { GatewayError } from '../errors.ts';
import type { Egress } from '../upstreams/egress.ts';
import { picoOf } from './bill.ts';

/**
 * The timeout of the request for one page of a report. It is long because the report of a large
 * organization takes time to compute.
 */
const PAGE_TIMEOUT_MS = 60_000;
/**
 * Maximum bytes of one page of a report, far above the usual size. A day has a row for each key and
 * model, in total a few hundred kilobytes.
 */
const MAX_PAGE_BYTES = 16 * 1024 * 1024;
const MAX_PAGES = 200;
/** Maximum characters of a provider's error message that are shown. */
const MAX_MESSAGE_CHARS = 300;

/**
 * Words of a request header with at least this many characters count as keys, which are masked in
 * error messages. Shorter words, such as `Bearer`, are not keys.
 */
const MIN_KEY_CHARS = 8;

export type ReportPage = { readonly path: string; readonly query: URLSearchParams };

export type ReportReaderDeps = {
  /** The upstream's name, for error messages. */
  readonly name: string;
  /** The provider's URL, without `/v1` and without a slash at the end. */
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly egress: Pick<Egress, 'permission'>;
  readonly clock: Pick<Clock, 'after'>;
};

/** Reads a count in a report. A missing or null count is zero. */
export const counted = built(() =>
  z
    .string()
    .regex(/^\d{1,18}$/)
    .transform((digits) => BigInt(digits))
    .nullish()
    .transform((value) => value ?? 0n),
);
/** Reads a decimal number as pico-units, after its decimal point is moved by `shift` digits. */
export const money = (shift = 0) =>
  z.string().transform((text, context): bigint => {
    const pico = picoOf(text, shift);
    if (pico !== null) return pico;
    context.addIssue('is not a decimal');
    return z.NEVER;
  });

/** Parses JSON with each number as its text, so that no decimal becomes a float. */
export const parseTexts = (text: string): unknown =>
  JSON.parse(text, (_, value, { source }) => (typeof value === 'number' ? source : value));

export class ReportReader {
  readonly #deps: ReportReaderDeps;

  constructor(deps: ReportReaderDeps) {
    this.#deps = deps;
  }

  /** Returns one page. @throws GatewayError `upstream_failed` with the provider's error message. */
  async read<Schema extends z.ZodType>(page: ReportPage, schema: Schema): Promise<z.infer<Schema>> {
    const text = await this.#get(page);
    const parsed = schema.safeParse(this.#json(text));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw this.#failed(
      `does not have the expected fields: ${issue?.path.join('.')}: ${issue?.message}`,
    );
  }

  /**
   * Yields all pages. `next` returns the next page's query parameter `page`; null at the end, and
   * empty if the answer does not name the next page.
   */
  async *pages<Schema extends z.ZodType>(
    first: ReportPage,
    schema: Schema,
    next: (answer: z.infer<Schema>) => string | null,
  ): AsyncGenerator<z.infer<Schema>> {
    const { path } = first;
    const query = new URLSearchParams(first.query);
    for (let read = 0; read < MAX_PAGES; read += 1) {
      const answer = await this.read({ path, query }, schema);
      yield answer;
      const following = next(answer);
      if (following === null) return;
      // Without this check, a part of the report would count as the whole.
      if (following === '') throw this.#failed('has more pages, but does not name the next one');
      query.set('page', following);
    }
    throw this.#failed(`has more than ${MAX_PAGES} pages`);
  }

  async #get({ path, query }: ReportPage): Promise<string> {
    const { baseUrl, headers, egress, clock } = this.#deps;
    const deadline = new AbortController();
    const timer = clock.after(PAGE_TIMEOUT_MS, () => deadline.abort());
    try {
      await egress.permission();
      const response = await fetch(`${baseUrl}${path}?${query}`, {
        headers: { 'user-agent': 'modelgate', accept: 'application/json', ...headers },
        signal: deadline.signal,
        // A redirect is not followed, because it could send the administrator's key to another
        // host.
        redirect: 'manual',
      });
      const text = await boundedText(response);
      if (text === null) throw this.#failed(`has a page of more than ${MAX_PAGE_BYTES} bytes`);
      if (response.ok) return text;
      const shown = this.#masked(text).slice(0, MAX_MESSAGE_CHARS);
      throw this.#failed(`could not be read: status ${response.status}: ${shown}`);
    } catch (thrown) {
      if (thrown instanceof GatewayError) throw thrown;
      const late = deadline.signal.aborted ? ` within ${PAGE_TIMEOUT_MS} ms` : '';
      throw this.#failed(`could not be read${late}`, thrown);
    } finally {
      timer.cancel();
    }
  }

  /** Masks the key, which a provider may repeat in its error message. */
  #masked(text: string): string {
    const parts = Object.values(this.#deps.headers).flatMap((value) => value.split(' '));
    return parts
      .filter((part) => part.length >= MIN_KEY_CHARS)
      .reduce((masked, part) => masked.replaceAll(part, '***'), text);
  }

  #json(text: string): unknown {
    try {
      return parseTexts(text);
    } catch (thrown) {
      throw this.#failed('is not JSON', thrown);
    }
  }

  #failed(what: string, cause?: unknown): GatewayError {
    const message = `The usage report of upstream "${this.#deps.name}" ${what}.`;
    return new GatewayError('upstream_failed', message, { cause });
  }
}

async function boundedText(response: Response): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_PAGE_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
