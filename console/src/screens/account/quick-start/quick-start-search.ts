/**
 * The state of the quick start that is kept in its URL, so that it can be shared. The URL never
 * contains an API key.
 */
import { flag, searchReader, text } from '#components/search-reader.ts';

export const quickStartSearch = searchReader({ model: text, channel: text, stream: flag });
