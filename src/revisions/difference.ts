/** Compares two documents of settings, path by path. The result never contains a secret. */

import type { Document } from '../config/document/document.ts';
import { withoutSecrets } from '../config/document/document-secrets.ts';
import type { Steps } from '../config/document/steps.ts';
import { valueAt } from '../config/schema-path.ts';
import { isJsonObject } from '../json/object.ts';
import type { AuditDetail } from '../store/audit.ts';

export type Difference = {
  /** The path of a setting, such as `models.gen-x.channels.direct.price.input`. */
  readonly path: string;
  /**
   * The value in the first document, as shortened JSON; null if the setting is absent there. A
   * secret is `***`. `after` is the same for the second document.
   */
  readonly before: string | null;
  readonly after: string | null;
};

/** Maximum characters of a shown value. */
const MAX_SHOWN_CHARACTERS = 300;
/**
 * Maximum paths in an audit entry. All others can be found by comparing the two stored revisions.
 */
const MAX_AUDITED_PATHS = 50;

type Changed = readonly [before: Document, after: Document];

/**
 * Returns both documents with their differing records, such as a model in `models`. Pauses after
 * each record, because there may be thousands.
 */
export function* changedRecordSteps(before: Document, after: Document): Steps<Changed> {
  return [yield* othersThan(after, before), yield* othersThan(before, after)];
}

/** Returns the records of `document` that are missing or different in `other`. */
function* othersThan(other: Document, document: Document): Steps<Document> {
  const found: [string, unknown][] = [];
  for (const [name, section] of Object.entries(document)) {
    const its = valueAt(other, [name]);
    if (section === its) continue;
    if (!isJsonObject(section) || !isJsonObject(its)) {
      found.push([name, section]);
      continue;
    }
    const records: [string, unknown][] = [];
    for (const [id, record] of Object.entries(section)) {
      if (!isSame(record, valueAt(its, [id]))) records.push([id, record]);
      yield;
    }
    found.push([name, Object.fromEntries(records)]);
  }
  return Object.fromEntries(found);
}

const isSame = (a: unknown, b: unknown): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b);

/**
 * Returns the differences in the order of the documents' keys. If only one document has a section,
 * the whole section is one difference. Pauses after each record.
 */
export function* differenceSteps(
  whole: Document,
  wholeAfter: Document,
): Steps<readonly Difference[]> {
  const [before, after] = yield* changedRecordSteps(whole, wholeAfter);
  const found: Difference[] = [];
  const shown = [withoutSecrets(before), withoutSecrets(after)] as const;
  const walk = (a: unknown, b: unknown, path: readonly string[]): void => {
    if (isMap(a) && isMap(b) && Array.isArray(a) === Array.isArray(b)) {
      for (const key of keysOf(a, b)) walk(valueAt(a, [key]), valueAt(b, [key]), [...path, key]);
    } else if (JSON.stringify(a) !== JSON.stringify(b)) {
      found.push({
        path: path.join('.'),
        before: textOf(valueAt(shown[0], path)),
        after: textOf(valueAt(shown[1], path)),
      });
    }
  };
  for (const name of keysOf(before, after)) {
    const [a, b] = [before[name], after[name]];
    if (!isJsonObject(a) || !isJsonObject(b)) walk(a, b, [name]);
    else {
      for (const id of keysOf(a, b)) {
        walk(valueAt(a, [id]), valueAt(b, [id]), [name, id]);
        yield;
      }
    }
  }
  return found;
}

const keysOf = (a: object, b: object): ReadonlySet<string> =>
  new Set([...Object.keys(a), ...Object.keys(b)]);

const isMap = (value: unknown): value is object => typeof value === 'object' && value !== null;

function textOf(value: unknown): string | null {
  if (value === undefined) return null;
  const text = JSON.stringify(value);
  return text.length <= MAX_SHOWN_CHARACTERS ? text : `${text.slice(0, MAX_SHOWN_CHARACTERS)}…`;
}

/** Returns the details of an audit entry: the note, and each difference as `before → after`. */
export function auditDetail(note: string, found: readonly Difference[]): AuditDetail {
  const named = found
    .slice(0, MAX_AUDITED_PATHS)
    .map(({ path, before, after }) => [path, `${before ?? '-'} → ${after ?? '-'}`]);
  const more = found.length - named.length;
  return {
    ...(note === '' ? {} : { note }),
    ...Object.fromEntries(named),
    ...(more > 0 ? { 'further paths': more } : {}),
  };
}
