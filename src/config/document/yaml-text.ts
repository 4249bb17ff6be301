/** Serializes a document as YAML. Parsing this text gives the same document. */

import { CORE_SCHEMA, dump, mergeTag } from 'js-yaml';
import { isMap } from '../schema-path.ts';
import { type Document, SECTIONS } from './document.ts';
import { finish, type Steps } from './steps.ts';

/**
 * Writes each text on one line. Writes equal parts in full instead of as aliases, so that each part
 * can be edited. Writes a text `<<` in quotes, since it is a merge key without them.
 */
const OPTIONS = {
  schema: CORE_SCHEMA.withTags(mergeTag),
  lineWidth: -1,
  noRefs: true,
} as const;

export const yamlText = (document: Document): string => finish(yamlTextSteps(document));

/**
 * Serializes a document. The generator yields after each record, such as a model, because there may
 * be thousands.
 */
export function* yamlTextSteps(document: Document): Steps<string> {
  const parts: string[] = [];
  for (const [name, section] of Object.entries(document)) {
    const records = SECTIONS.includes(name) && isMap(section) ? Object.entries(section) : [];
    if (records.length === 0) parts.push(written({ [name]: section }));
    else parts.push(`${name}:\n`);
    for (const [id, record] of records) {
      const text = written({ [name]: { [id]: record } });
      parts.push(text.slice(text.indexOf('\n') + 1));
      yield;
    }
  }
  return parts.length === 0 ? dump({}, OPTIONS) : parts.join('');
}

/**
 * Serializes a part without the end marker `...`, which the library adds after a text that ends
 * with empty lines.
 */
const written = (part: Document): string => dump(part, OPTIONS).replace(/^\.\.\.\n$/m, '');
