/** Renders Markdown as React elements, block by block, also while it streams. */
import { memo, useEffect, useId, useMemo, useState } from 'react';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import remend from 'remend';
import { splitBlocks } from './blocks.ts';
import { ELEMENTS } from './elements.tsx';
import classes from './markdown.module.css';
import { usePaced } from './use-paced.ts';

/** A growing block waits between two renderings: one millisecond for each 40 of its characters. */
const CHARACTERS_A_MS = 40;
const MAX_AGE_MS = 1_000;

export type MarkdownProps = {
  readonly text: string;
  /**
   * Whether the text is still streaming. Markdown markers that are open at its end then count as
   * closed.
   */
  readonly isGrowing?: boolean;
};

export function Markdown({ text, isGrowing = false }: MarkdownProps) {
  const { blocks, definitions } = useMemo(() => splitBlocks(text), [text]);
  const shown = useShownCount(blocks.length);
  return (
    <div className={classes['text']}>
      {blocks.slice(0, shown).map((block, at) => (
        <Block
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks are identified by position.
          key={at}
          text={block}
          definitions={block.includes('[') ? definitions : ''}
          isGrowing={isGrowing && at === blocks.length - 1}
        />
      ))}
    </div>
  );
}

/**
 * The number of blocks that render within a frame or two. A long text that arrives at once is
 * rendered in steps.
 */
const BLOCKS_A_STEP = 40;

function useShownCount(count: number): number {
  const [shown, setShown] = useState(BLOCKS_A_STEP);
  useEffect(() => {
    if (shown >= count) return;
    const frame = requestAnimationFrame(() => setShown(shown + BLOCKS_A_STEP));
    return () => cancelAnimationFrame(frame);
  }, [shown, count]);
  return shown;
}

type BlockProps = {
  readonly text: string;
  readonly definitions: string;
  readonly isGrowing: boolean;
};

/**
 * Renders one block. A long growing block renders less often, so that the page stays responsive.
 */
const Block = memo(function Block({ text, definitions, isGrowing }: BlockProps) {
  const paced = usePaced(text, Math.min(MAX_AGE_MS, text.length / CHARACTERS_A_MS));
  const shown = isGrowing ? remend(paced, { linkMode: 'text-only' }) : text;
  return <Rendered text={definitions === '' ? shown : `${shown}\n\n${definitions}`} />;
});

const PLUGINS = [remarkGfm];

const Rendered = memo(function Rendered({ text }: { readonly text: string }) {
  // This prefix keeps the footnote ids of different answers on one page distinct.
  const clobberPrefix = useId();
  return (
    <div className={classes['block']}>
      <ReactMarkdown
        remarkPlugins={PLUGINS}
        remarkRehypeOptions={{ clobberPrefix }}
        components={ELEMENTS}
        urlTransform={asItIs}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
});

/** Keeps every URL unchanged, since links check their own URLs and images show theirs as text. */
const asItIs = (address: string): string => address;
