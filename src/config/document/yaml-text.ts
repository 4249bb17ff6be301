/** Writes a document as YAML. Reading the text again gives the same document. */
import { CORE_SCHEMA, dump } from 'js-yaml';
import type { Document } from './document.ts';

/** Lines are not folded, and equal parts are written out, so that each place can be edited. */
const OPTIONS = { schema: CORE_SCHEMA, lineWidth: -1, noRefs: true } as const;

export const yamlText = (document: Document): string => dump(document, OPTIONS);
