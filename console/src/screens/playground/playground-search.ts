/**
 * The model and the channel of the playground in the URL, so that a model's page can link to
 * them.
 */
import { searchReader, text } from '#components/search-reader.ts';

export const playgroundSearch = searchReader({ model: text, channel: text });
