/** Provides the lines of a code block, plain at first and highlighted step by step. */
import { useEffect, useMemo, useRef, useState } from 'react';
import { type CodeLanguage, type CodeState, tokenizerFor } from './highlighter.ts';
import { type Line, LineTokens, plainLines } from './line-tokens.ts';

/** The maximum length of highlighted code. Nobody reads longer code in a chat. */
const MAX_CHARACTERS = 300_000;

type Tokens = LineTokens<CodeState>;

export function useCodeLines(code: string, language: CodeLanguage | null): readonly Line[] {
  const tokens = useTokens(code.length > MAX_CHARACTERS ? null : language);
  // Increasing this counter makes React render the component again after each step.
  const [steps, setSteps] = useState(0);
  const latest = useRef(code);
  latest.current = code;

  useEffect(() => {
    if (tokens === null) return;
    let frame = 0;
    const step = (): void => {
      const hasMore = tokens.step(latest.current);
      setSteps((count) => count + 1);
      if (hasMore) frame = requestAnimationFrame(step);
    };
    if (tokens.mayStep(code)) frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [tokens, code]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `steps` follows `tokens`.
  return useMemo(() => tokens?.linesOf(code) ?? plainLines(code), [tokens, code, steps]);
}

function useTokens(language: CodeLanguage | null): Tokens | null {
  const [made, setMade] = useState<{ language: CodeLanguage; tokens: Tokens } | null>(null);
  useEffect(() => {
    if (language === null) return;
    let isWanted = true;
    tokenizerFor(language).then(
      (tokenize) => {
        if (isWanted) setMade({ language, tokens: new LineTokens(tokenize) });
      },
      // After a failure, this block stays plain; the next block loads the grammar again.
      (thrown: unknown) => console.warn(`no grammar for ${language}`, thrown),
    );
    return () => {
      isWanted = false;
    };
  }, [language]);
  return made !== null && made.language === language ? made.tokens : null;
}
