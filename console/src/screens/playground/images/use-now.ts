/** The time, taken anew every so often while somebody looks. */
import { useEffect, useState } from 'react';

/** @returns milliseconds since 1970. */
export function useNow(everyMs: number): number {
  const [nowMs, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}
