/** Provides the current time, updated at an interval while the page is visible. */
import { useEffect, useState } from 'react';

/** Returns the current Unix time in milliseconds. */
export function useNow(everyMs: number): number {
  const [nowMs, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}
