/**
 * The playground's URL parameters for the model and the channel. A model's page sets them in its
 * link to the playground.
 */
import { searchReader, text } from '#components/search-reader.ts';

export const playgroundSearch = searchReader({ model: text, channel: text });
