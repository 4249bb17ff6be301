/** The demo provider, whose models run in the gateway's process. */
import { NO_QUIRKS } from '../protocols/quirks.ts';
import { PLAIN_FIELDS } from '../upstreams/known-fields.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import type { BuiltinOptions } from './builtin-answers.ts';

/**
 * Creates the upstream and begins to load its code, so that the first request need not wait. A
 * gateway without demo models never loads this code.
 */
export function createBuiltinUpstream(options: BuiltinOptions): Upstream {
  const answers = import('./builtin-answers.ts').then(({ builtinAnswers }) =>
    builtinAnswers(options),
  );
  // Each request reports a failure.
  answers.catch(() => {});
  return {
    name: options.name,
    formats: new Set(['chat', 'messages', 'count_tokens', 'images', 'image_edits', 'embeddings']),
    fields: PLAIN_FIELDS,
    quirks: { ...NO_QUIRKS, onDisconnect: 'abort' },
    firstByteTimeoutMs: null,
    hidden: [],
    send: async (request) => (await answers)(request),
  };
}
