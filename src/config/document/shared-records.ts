/** Reuses the parts that two documents have in common, so that identity shows what changed. */
import { valueAt } from '../schema-path.ts';
import type { Document } from './document.ts';
import type { Steps } from './steps.ts';

/** Returns the document with the records of `known`, such as models, that are written the same. */
export function* sharedRecordSteps(known: Document, document: Document): Steps<Document> {
  const sections: [string, unknown][] = [];
  for (const [name, section] of Object.entries(document)) {
    const its = valueAt(known, [name]);
    if (!isMap(section) || !isMap(its)) {
      sections.push([name, section]);
      continue;
    }
    const records: [string, unknown][] = [];
    for (const [id, record] of Object.entries(section)) {
      const other = valueAt(its, [id]);
      // The order of keys counts too, because a document keeps it.
      records.push([id, JSON.stringify(other) === JSON.stringify(record) ? other : record]);
      yield;
    }
    sections.push([name, Object.fromEntries(records)]);
  }
  return Object.fromEntries(sections);
}

const isMap = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
