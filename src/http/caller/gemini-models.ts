/** The chat and embedding models in the form of the Gemini API. */
import type { Catalogue, ChatModel, EmbeddingModel, Model } from '../../catalogue/catalogue.ts';

type GeminiModel = ChatModel | EmbeddingModel;

/** Returns the chat and embedding models in the order of the catalogue. */
export const geminiModels = ({ models }: Catalogue) =>
  [...models.values()].filter(isInGeminiApi).map(geminiModel);

/** Whether the Gemini API serves the model. */
export const isInGeminiApi = (model: Model): model is GeminiModel => model.kind !== 'image';

export const geminiModel = (model: GeminiModel) => ({
  name: `models/${model.id}`,
  displayName: model.name,
  inputTokenLimit: model.contextWindow,
  ...(model.kind === 'chat'
    ? {
        outputTokenLimit: model.maxOutput,
        supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
      }
    : { supportedGenerationMethods: ['embedContent', 'batchEmbedContents'] }),
});
