/** The filter of the API reference, which is kept in the page's URL. */
import { searchReader, text } from '#components/search-reader.ts';

/** Without `q`, every operation is shown. */
export const referenceSearch = searchReader({ q: text });
