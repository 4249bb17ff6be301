/** The filter of the API reference, which is kept in the page's URL. */
import { searchReader, text } from '#components/search-reader.ts';

/** The search parameters of the page. Without `q`, all operations are shown. */
export const referenceSearch = searchReader({ q: text });
