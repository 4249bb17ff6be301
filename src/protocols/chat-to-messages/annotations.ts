/**
 * Turns citations of web pages into chat's annotations. Citations of documents are dropped, because
 * they have no URL.
 */
import { asFilledString, asJsonObject, asString, type JsonObject } from '../../json/object.ts';

/** A citation, with the range of `content` that it supports, in UTF-16 units. */
export type Annotation = {
  readonly url: string;
  readonly title: string;
  readonly start: number;
  /** The end of the range; null while the text block with the citation is open. */
  readonly end: number | null;
};

/** Maximum annotations of an answer. Further annotations are dropped. */
export const MAX_ANNOTATIONS = 1024;
/** Maximum UTF-16 units of a URL or a title. Citations with a longer one are dropped. */
const MAX_UNITS = 4096;

const WEB_URL = /^https?:\/\//i;

/**
 * Returns the annotation for a citation in the text block that begins at `start`. Null if the
 * citation has no web URL, or if its URL or title is too long.
 */
export function annotationOf(given: unknown, start: number): Annotation | null {
  const citation = asJsonObject(given) ?? {};
  // A citation of the caller's own search result has no `url` but a `source`, which may be a URL.
  const url = asFilledString(citation['url']) ?? asFilledString(citation['source']) ?? '';
  const title = asString(citation['title']) ?? '';
  if (!WEB_URL.test(url) || url.length > MAX_UNITS || title.length > MAX_UNITS) return null;
  return { url, title, start, end: null };
}

/** Sets `end` on the annotations of the text block that just ended. */
export const endedAt = (all: readonly Annotation[], end: number): readonly Annotation[] =>
  all.some((each) => each.end === null)
    ? all.map((each) => (each.end === null ? { ...each, end } : each))
    : all;

export const annotationsJson = (all: readonly Annotation[]): readonly JsonObject[] =>
  all.map(({ url, title, start, end }) => ({
    type: 'url_citation',
    url_citation: { url, title, start_index: start, end_index: end ?? start },
  }));
