/**
 * The rules for the fields of an embeddings request. A rule depends on how the field affects the
 * bill and other accounts.
 */
import { BOUNDED, each, type FieldTable, FREE } from '../request-fields.ts';

export const EMBEDDINGS_FIELDS: FieldTable = {
  rules: {
    ...each('model encoding_format dimensions provider', FREE),
    input: BOUNDED,
    // `input_type` says whether the text is a query or a document. Many models embed these
    // differently.
    input_type: FREE,
    user: { class: 'identity', member: null },
  },
  sources: [
    'https://pypi.org/project/openai/3.54.0/',
    'https://openrouter.ai/docs/api-reference/embeddings',
  ],
  checked: '2026-11-22',
};
