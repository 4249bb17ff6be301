/**
 * The state of the quick start that is kept in its URL, so that it can be shared. The URL never
 * contains an API key.
 */

export type QuickStartSearch = {
  readonly model?: string;
  readonly channel?: string;
  readonly stream?: true;
};

const MAX_CHARS = 200;

export function quickStartSearchOf(search: Readonly<Record<string, unknown>>): QuickStartSearch {
  const { model, channel, stream } = search;
  return {
    ...(isName(model) ? { model } : {}),
    ...(isName(channel) ? { channel } : {}),
    ...(stream === true ? { stream: true } : {}),
  };
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_CHARS;
