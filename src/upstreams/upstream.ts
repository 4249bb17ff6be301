/**
 * An upstream takes a request in its own dialect and answers with a `Response` whose body is a byte
 * stream. There is one adapter per dialect, and a built-in one without network.
 */

import { type ErrorDetail, GatewayError } from '../errors.ts';
import type { Quirks } from '../protocols/quirks.ts';

/** The wire formats of upstream requests. */
export type WireFormat = 'chat' | 'messages' | 'count_tokens' | 'images';

export type UpstreamRequest = {
  readonly format: WireFormat;
  /** JSON in the upstream's dialect, with the upstream's name of the model. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** Whether the body asks for an event stream. */
  readonly stream: boolean;
  /** Headers of the dialect (`anthropic-version`, `anthropic-beta`); never credentials. */
  readonly headers: Readonly<Record<string, string>>;
  /** Opaque account id, which separates the built-in prompt caches. Never sent over a network. */
  readonly scope: string;
  /** W3C trace context to pass on; null: none. */
  readonly traceparent: string | null;
  /** The model's deadlines, milliseconds; null: the upstream's own. */
  readonly connectMs: number | null;
  readonly firstByteMs: number | null;
  readonly signal: AbortSignal;
};

export interface Upstream {
  readonly name: string;
  readonly formats: ReadonlySet<WireFormat>;
  readonly quirks: Quirks;
  /** The upstream's own limit for the status line, milliseconds; null: none. */
  readonly firstByteTimeoutMs: number | null;
  /** Texts to mask in errors for callers: host and key. */
  readonly hidden: readonly string[];
  /**
   * Sends once, without retry. Resolves with any status.
   * @throws NotSent when the upstream was not reached; GatewayError `upstream_failed` or
   *   `upstream_timeout` when no status came otherwise; the signal's reason when it was aborted.
   */
  send(request: UpstreamRequest): Promise<Response>;
}

/** The upstream has certainly not begun, so that the request can be sent elsewhere. */
export class NotSent extends GatewayError {
  constructor(message: string, detail: ErrorDetail = {}) {
    super('upstream_failed', message, detail);
  }
}
