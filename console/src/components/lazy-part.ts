/** Loads parts of a screen on demand. */
import { type ComponentType, lazy } from 'react';
import { noteMissingFile } from '#api/connection.ts';

/**
 * Creates a component that loads on demand. If its file is missing, the placeholder stays, and the
 * connection banner explains why. If an error were thrown instead, the screen and all typed text
 * would be lost.
 * @param load returns the component from its module.
 */
export const lazyPart = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(() =>
    load().then(
      (component) => ({ default: component }),
      () => {
        noteMissingFile();
        return new Promise<never>(() => undefined);
      },
    ),
  );
