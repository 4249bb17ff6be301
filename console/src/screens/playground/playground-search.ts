/** Whom the playground opens with, as the page's address says it: so that a model's page can lead here. */

export type PlaygroundSearch = { readonly model?: string; readonly channel?: string };

export const playgroundSearch = (given: Readonly<Record<string, unknown>>): PlaygroundSearch => {
  const { model, channel } = given;
  return {
    ...(typeof model === 'string' && model !== '' ? { model } : {}),
    ...(typeof channel === 'string' && channel !== '' ? { channel } : {}),
  };
};
