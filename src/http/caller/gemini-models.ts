/** The chat models in the form of the Gemini API. Its clients read them from the list of models. */
import type { Catalogue } from '../../catalogue/catalogue.ts';

/** Returns the chat models in the order of the catalogue. */
export const geminiModels = ({ models }: Catalogue) =>
  [...models.values()]
    .filter((model) => model.kind === 'chat')
    .map(({ id, name, contextWindow, maxOutput }) => ({
      name: `models/${id}`,
      displayName: name,
      inputTokenLimit: contextWindow,
      outputTokenLimit: maxOutput,
      supportedGenerationMethods: ['generateContent', 'streamGenerateContent'],
    }));
