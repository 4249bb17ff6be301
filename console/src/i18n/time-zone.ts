/** The time zone in which the console shows times: the browser's, or one that the person chose. */
import { useSyncExternalStore } from 'react';

const STORAGE_KEY = 'modelgate.time-zone';

let known: string | undefined;

/** Returns the browser's time zone. Cached, because each time in a list needs it. */
export function browserZone(): string {
  known ??= new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return known;
}

/** The names of all zones that the browser knows, UTC first. */
export const timeZones = (): readonly string[] => [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC'),
];

let chosen = savedZone();
const listeners = new Set<() => void>();

/** The chosen zone; null while the zone of the browser applies. */
export const useChosenZone = (): string | null => useSyncExternalStore(subscribe, () => chosen);

/** The IANA name of the zone in which times are shown. */
export const shownZone = (): string => chosen ?? browserZone();
export const useTimeZone = (): string => useSyncExternalStore(subscribe, shownZone);

/** Saves the zone and shows all times in it. @param zone null for the zone of the browser. */
export function chooseZone(zone: string | null): void {
  chosen = zone;
  try {
    if (zone === null) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, zone);
  } catch (denied) {
    console.warn('the time zone is not saved, because this browser refuses storage', denied);
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Returns the saved zone; null if no zone is saved, or the browser does not support the saved zone.
 */
function savedZone(): string | null {
  try {
    const saved = localStorage.getItem(STORAGE_KEY);
    if (saved === null) return null;
    return new Intl.DateTimeFormat('en', { timeZone: saved }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
