/**
 * The model and the channel of the playground in the URL, so that a model's page can link to
 * them.
 */

export type PlaygroundSearch = { readonly model?: string; readonly channel?: string };

export const playgroundSearch = (given: Readonly<Record<string, unknown>>): PlaygroundSearch => {
  const { model, channel } = given;
  return {
    ...(typeof model === 'string' && model !== '' ? { model } : {}),
    ...(typeof channel === 'string' && channel !== '' ? { channel } : {}),
  };
};
