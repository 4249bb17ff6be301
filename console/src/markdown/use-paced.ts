/** Throttles a changing value to one update per `everyMs`; the last value always arrives. */
import { useEffect, useRef, useState } from 'react';

export function usePaced<Value>(value: Value, everyMs: number): Value {
  const [taken, setTaken] = useState(value);
  const takenAt = useRef(0);
  useEffect(() => {
    const take = (): void => {
      takenAt.current = performance.now();
      setTaken(value);
    };
    const restMs = takenAt.current + everyMs - performance.now();
    if (restMs <= 0) {
      take();
      return;
    }
    const timer = setTimeout(take, restMs);
    return () => clearTimeout(timer);
  }, [value, everyMs]);
  return taken;
}
