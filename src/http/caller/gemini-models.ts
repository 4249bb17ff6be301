/** The chat models in the form of the Gemini API. */
import type { Catalogue, ChatModel } from '../../catalogue/catalogue.ts';

/** Returns the chat models in the order of the catalogue. */
export const geminiModels = ({ models }: Catalogue) =>
  [...models.values()].filter((model) => model.kind === 'chat').map(geminiModel);

export const geminiModel = ({ id, name, contextWindow, maxOutput }: ChatModel) => ({
  name: `models/${id}`,
  displayName: name,
  inputTokenLimit: contextWindow,
  outputTokenLimit: maxOutput,
  supportedGenerationMethods: ['generateContent', 'streamGenerateContent'],
});
