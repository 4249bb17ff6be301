/** A change by a button, where the person sees the present value and no form is open. */
import { isStale } from './api-error.ts';

export type ChangeAsShown<Settings> = {
  /** Sends the change with this entity tag in `If-Match`. */
  readonly change: (etag: string) => Promise<Settings>;
  readonly read: () => Promise<Settings>;
  /** The value that is changed. */
  readonly partOf: (settings: Settings) => unknown;
};

/** The most changes of others after which one change is sent again. */
const MAX_TRIES = 5;

/**
 * Changes a value that the person sees. Other changes of the same settings are kept. If somebody
 * else has changed this value, nothing is sent again, since that was decided on an outdated one.
 * @returns the settings after it, and whether the change is another person's.
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
