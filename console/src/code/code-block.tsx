/** Program text: coloured once its grammar is there, scrolling within itself, copied by a press. */
import { ActionIcon, type ActionIconProps, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { memo } from 'react';
import { defineTexts, useTexts } from '../i18n/texts.ts';
import classes from './code-block.module.css';
import type { CodeLanguage } from './highlighter.ts';
import type { Line } from './line-tokens.ts';
import { useCodeLines } from './use-code-lines.ts';

const texts = defineTexts('code-block', {
  en: { copy: 'Copy code', copied: 'Copied' },
  zh: { copy: '复制代码', copied: '已复制' },
});

const MAX_HEIGHT_PX = 520;

export type CodeBlockProps = {
  readonly code: string;
  /** Null: without colours. */
  readonly language: CodeLanguage | null;
  /** What it is, for who does not see it. */
  readonly label: string;
  /** A line above the code, such as the language as its writer called it; absent: no such line. */
  readonly title?: string;
};

/** It may grow at its end: only what is new is read and drawn. */
export function CodeBlock({ code, language, label, title }: CodeBlockProps) {
  const lines = useCodeLines(code, language);
  // What ends its last line has no empty one below it.
  const shown = code.endsWith('\n') ? lines.slice(0, -1) : lines;
  const isBare = title === undefined;
  return (
    <figure className={classes['frame']} aria-label={label}>
      {isBare ? (
        <CopyCode code={code} variant="default" className={classes['copy'] ?? ''} />
      ) : (
        <div className={classes['head']}>
          <span>{title}</span>
          <CopyCode code={code} variant="subtle" color="gray" />
        </div>
      )}
      <pre
        className={classes['code']}
        data-bare={isBare || undefined}
        style={{ maxHeight: MAX_HEIGHT_PX }}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
      >
        <code>
          {shown.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number.
            <CodeLine key={at} line={line} />
          ))}
        </code>
      </pre>
    </figure>
  );
}

function CopyCode({ code, ...look }: ActionIconProps & { readonly code: string }) {
  const t = useTexts(texts);
  const clipboard = useClipboard();
  const label = clipboard.copied ? t('copied') : t('copy');
  const Icon = clipboard.copied ? IconCheck : IconCopy;
  return (
    <Tooltip label={label}>
      <ActionIcon {...look} aria-label={label} onClick={() => clipboard.copy(code)}>
        <Icon size={16} />
      </ActionIcon>
    </Tooltip>
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
            // biome-ignore lint/suspicious/noArrayIndexKey: a word is its place in the line.
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
