/**
 * What stands behind a route: something that takes a request in its own dialect and answers with a
 * `Response` whose body is a byte stream. One adapter a dialect; the built-in one needs no network.
 */

import { type ErrorDetail, GatewayError } from '../errors.ts';
import type { Quirks } from '../protocols/quirks.ts';

/** The wire formats an upstream may be asked in. */
export type WireFormat = 'chat' | 'messages' | 'count_tokens' | 'images';

export type UpstreamRequest = {
  readonly format: WireFormat;
  /** JSON in the upstream's dialect, already naming the upstream's own model. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** Whether the body asks for an event stream. */
  readonly stream: boolean;
  /** Headers of the dialect that matter to the upstream (`anthropic-version`, `anthropic-beta`); never credentials. */
  readonly headers: Readonly<Record<string, string>>;
  /** Who asks, opaque: keeps one account's prompt cache apart from another's. Never sent over a network. */
  readonly scope: string;
  /** W3C trace context to pass on; null: none. */
  readonly traceparent: string | null;
  /** Deadlines of the model, milliseconds; null: the upstream's own. */
  readonly connectMs: number | null;
  readonly firstByteMs: number | null;
  readonly signal: AbortSignal;
};

export interface Upstream {
  readonly name: string;
  readonly formats: ReadonlySet<WireFormat>;
  readonly quirks: Quirks;
  /** How long it may take to answer at all, where that is its own, milliseconds. */
  readonly firstByteTimeoutMs: number | null;
  /** Texts that must not be seen in what a caller is told: its host, its key. */
  readonly hidden: readonly string[];
  /**
   * Sends once, without retry. Resolves when the upstream's status line is known, whatever it is.
   * @throws NotSent when the upstream was not reached; GatewayError `upstream_failed` or
   *   `upstream_timeout` when no status came otherwise; the signal's reason when it was aborted.
   */
  send(request: UpstreamRequest): Promise<Response>;
}

/** The upstream has certainly not begun: sending the same elsewhere cannot make it happen twice. */
export class NotSent extends GatewayError {
  constructor(message: string, detail: ErrorDetail = {}) {
    super('upstream_failed', message, detail);
  }
}
