/**
 * Converts citations of web pages to chat's annotations. Citations of documents are dropped,
 * because they have no URL.
 */
import { asFilledString, asJsonObject, asString, type JsonObject } from '../../json/object.ts';

/** A citation, and the range of `content` that it supports, in UTF-16 units. */
export type Annotation = {
  readonly url: string;
  readonly title: string;
  readonly start: number;
  /** The end of the range; null until the text block with the citation has ended. */
  readonly end: number | null;
};

/** Maximum annotations of an answer. Any more annotations are dropped. */
export const MAX_ANNOTATIONS = 1024;
/**
 * Maximum UTF-16 units of a URL and of a title. A citation with a longer URL or title is dropped.
 */
const MAX_UNITS = 4096;

const WEB_URL = /^https?:\/\//i;

/**
 * Converts a citation in the text block that begins at `start` to an annotation. Returns null if
 * the citation has no web URL, or if its URL or title is too long.
 */
export function annotationOf(given: unknown, start: number): Annotation | null {
  const citation = asJsonObject(given) ?? {};
  // A citation of a search result that the caller provided has no `url`. Its `source` may be a URL.
  const url = asFilledString(citation['url']) ?? asFilledString(citation['source']) ?? '';
  const title = asString(citation['title']) ?? '';
  if (!WEB_URL.test(url) || url.length > MAX_UNITS || title.length > MAX_UNITS) return null;
  return { url, title, start, end: null };
}

/** Sets `end` where it is null: in the annotations of the text block that just ended. */
export const endedAt = (all: readonly Annotation[], end: number): readonly Annotation[] =>
  all.some((each) => each.end === null)
    ? all.map((each) => (each.end === null ? { ...each, end } : each))
    : all;

export const annotationsJson = (all: readonly Annotation[]): readonly JsonObject[] =>
  all.map(({ url, title, start, end }) => ({
    type: 'url_citation',
    url_citation: { url, title, start_index: start, end_index: end ?? start },
  }));
