/** The fields of an embeddings request, by their effect on the bill and on other accounts. */
import { BOUNDED, each, type FieldTable, FREE } from '../request-fields.ts';

export const EMBEDDINGS_FIELDS: FieldTable = {
  rules: {
    ...each('model encoding_format dimensions provider', FREE),
    input: BOUNDED,
    // `input_type` says whether the text is a query or a document, which many models embed
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
