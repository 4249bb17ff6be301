/** The filter of the API reference, which is kept in the page's URL. */
import { searchReader, text } from '#components/search-reader.ts';

/** The URL parameters of the API reference. Without `q`, the page shows all operations. */
export const referenceSearch = searchReader({ q: text });
