/** Changes one setting when a person clicks a button beside its value, outside of any form. */
import { isStale } from './api-error.ts';

export type ChangeAsShown<Settings> = {
  /** Sends the change. The API refuses it unless the settings still have this entity tag. */
  readonly change: (etag: string) => Promise<Settings>;
  readonly read: () => Promise<Settings>;
  /** Returns the value that the button changes, from the settings that contain it. */
  readonly partOf: (settings: Settings) => unknown;
};

/** The maximum number of attempts, because others may keep changing the same settings. */
const MAX_TRIES = 5;

/**
 * Changes a value that the page shows, without overwriting changes by other people. If they changed
 * only other values of the settings, sends the change again. If they changed this value, does not
 * send it again, because the person decided on the basis of an outdated value.
 * @returns the new settings; `isOthers` is true if somebody else changed the value.
 */
export async function changeAsShown<Settings extends { readonly etag: string }>(
  shown: Settings,
  { change, read, partOf }: ChangeAsShown<Settings>,
): Promise<{ readonly settings: Settings; readonly isOthers: boolean }> {
  let from = shown;
  for (let tries = 1; ; tries += 1) {
    try {
      return { settings: await change(from.etag), isOthers: false };
    } catch (error) {
      if (!isStale(error) || tries === MAX_TRIES) throw error;
      from = await read();
      if (partOf(from) !== partOf(shown)) return { settings: from, isOthers: true };
    }
  }
}
