/**
 * A scrollable code block with a copy button. The code is highlighted once its grammar has loaded.
 */
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { CopyIcon } from '#components/copy-icon.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import classes from './code-block.module.css';
import { type CodeLanguage, type CodeState, tokenizerFor } from './highlighter.ts';
import { type Line, LineTokens, plainLines } from './line-tokens.ts';

const texts = defineTexts('code-block', {
  en: { copy: 'Copy code' },
  zh: { copy: '复制代码' },
});

const MAX_HEIGHT_PX = 520;

export type CodeBlockProps = {
  readonly code: string;
  /** The language of the code; null for no highlighting. */
  readonly language: CodeLanguage | null;
  /** The block's name for screen readers. */
  readonly label: string;
  /** A line above the code, such as the name of its language. */
  readonly title?: string;
};

/** Shows code that may grow at its end. Only the new part is highlighted and rendered. */
export function CodeBlock({ code, language, label, title }: CodeBlockProps) {
  const t = useTexts(texts);
  const lines = useCodeLines(code, language);
  // A final line break does not add an empty line to the block.
  const shown = code.endsWith('\n') ? lines.slice(0, -1) : lines;
  const isBare = title === undefined;
  const copy = { value: code, label: t('copy') };
  return (
    <figure className={classes['frame']} aria-label={label}>
      {isBare ? (
        <CopyIcon {...copy} variant="default" className={classes['copy'] ?? ''} />
      ) : (
        <div className={classes['head']}>
          <span>{title}</span>
          <CopyIcon {...copy} />
        </div>
      )}
      <pre
        className={classes['code']}
        data-bare={isBare || undefined}
        style={{ maxHeight: MAX_HEIGHT_PX }}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area needs keyboard access.
        tabIndex={0}
      >
        <code>
          {shown.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines are identified by position.
            <CodeLine key={at} line={line} />
          ))}
        </code>
      </pre>
    </figure>
  );
}

const isSameLine = (one: Line, other: Line): boolean =>
  one === other ||
  (one.length === other.length &&
    one.every(({ text, kind }, at) => text === other[at]?.text && kind === other[at]?.kind));

const CodeLine = memo(
  function CodeLine({ line }: { readonly line: Line }) {
    return (
      <span className={classes['line']}>
        {line.map(({ text, kind }, at) =>
          kind === null ? (
            text
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: words are identified by position.
            <span key={at} className={classes[kind]}>
              {text}
            </span>
          ),
        )}
        {'\n'}
      </span>
    );
  },
  (before, after) => isSameLine(before.line, after.line),
);

/** The maximum length of highlighted code. Nobody reads longer code in a chat. */
const MAX_CHARACTERS = 300_000;

type Tokens = LineTokens<CodeState>;

/**
 * Returns the lines of a code block. All lines are plain at first and are then highlighted a few at
 * a time.
 */
function useCodeLines(code: string, language: CodeLanguage | null): readonly Line[] {
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
      // If the grammar cannot be loaded, this block stays plain, and the next block tries to load
      // it again.
      (thrown: unknown) =>
        console.warn(`cannot load the syntax highlighting of ${language}`, thrown),
    );
    return () => {
      isWanted = false;
    };
  }, [language]);
  return made !== null && made.language === language ? made.tokens : null;
}
