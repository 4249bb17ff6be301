/** Announces a streaming answer to screen readers, sentence by sentence. */
import { VisuallyHidden } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { sentenceEnd } from './sentences.ts';

/**
 * The minimum pause between announcements. More frequent announcements interrupt each other and are
 * never heard.
 */
const PAUSE_MS = 1_500;

export type AnnouncerProps = {
  readonly text: string;
  readonly isGrowing: boolean;
};

export function Announcer({ text, isGrowing }: AnnouncerProps) {
  // Text that exists when the page opens is not announced.
  const announced = useRef(isGrowing ? 0 : text.length);
  const saidAt = useRef(0);
  const [piece, setPiece] = useState('');
  useEffect(() => {
    const say = (): void => {
      const end = isGrowing ? sentenceEnd(text, announced.current) : text.length;
      if (end <= announced.current) return;
      setPiece(text.slice(announced.current, end));
      announced.current = end;
      saidAt.current = performance.now();
    };
    const restMs = isGrowing ? saidAt.current + PAUSE_MS - performance.now() : 0;
    const timer = setTimeout(say, Math.max(0, restMs));
    return () => clearTimeout(timer);
  }, [text, isGrowing]);
  return <VisuallyHidden aria-live="polite">{piece}</VisuallyHidden>;
}
