/** Program text: coloured as soon as the colours are there, scrolling within itself, copied by a press. */
import { ActionIcon, Box, ScrollArea, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { defineTexts, useTexts } from '../i18n/texts.ts';
import classes from './code-block.module.css';
import { type CodeLanguage, type CodeToken, highlighterOf, plain } from './highlighter.ts';

const texts = defineTexts('code-block', {
  en: { copy: 'Copy code', copied: 'Copied' },
  zh: { copy: '复制代码', copied: '已复制' },
});

export type CodeBlockProps = {
  readonly code: string;
  /** Null: without colours. */
  readonly language: CodeLanguage | null;
  /** What it is, for who does not see it. */
  readonly label: string;
};

export function CodeBlock({ code, language, label }: CodeBlockProps) {
  const lines = useTokens(code, language);
  return (
    <Box className={classes['block'] ?? ''}>
      <CopyCode code={code} />
      <ScrollArea.Autosize
        mah={520}
        type="auto"
        viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}
      >
        <pre className={classes['pre']}>
          <code>
            {lines.map((line, index) => (
              // Lines and their pieces have no identity but their place.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above.
              <Line key={index} tokens={line} />
            ))}
          </code>
        </pre>
      </ScrollArea.Autosize>
    </Box>
  );
}

function Line({ tokens }: { readonly tokens: readonly CodeToken[] }) {
  const pieces = tokens.map(({ text, color }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a piece has no identity but its place.
    <span key={index} style={color === null ? undefined : { color }}>
      {text}
    </span>
  ));
  return (
    <>
      {pieces}
      {'\n'}
    </>
  );
}

function CopyCode({ code }: { readonly code: string }) {
  const t = useTexts(texts);
  const clipboard = useClipboard();
  const label = clipboard.copied ? t('copied') : t('copy');
  const Icon = clipboard.copied ? IconCheck : IconCopy;
  return (
    <Tooltip label={label}>
      <ActionIcon
        className={classes['copy'] ?? ''}
        variant="default"
        aria-label={label}
        onClick={() => clipboard.copy(code)}
      >
        <Icon size={16} />
      </ActionIcon>
    </Tooltip>
  );
}

/** Without colours until they are loaded, and when they cannot be. */
function useTokens(code: string, language: CodeLanguage | null) {
  const { data: highlight = plain } = useQuery({
    queryKey: ['highlighter', language],
    queryFn: () => (language === null ? plain : highlighterOf(language)),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return useMemo(() => highlight(code), [highlight, code]);
}
