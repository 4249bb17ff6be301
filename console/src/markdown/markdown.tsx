/** Renders Markdown as React elements, block by block, also while it streams. */
import { memo, useEffect, useId, useMemo, useState } from 'react';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import remend from 'remend';
import { splitBlocks } from './blocks.ts';
import { ELEMENTS } from './elements.tsx';
import classes from './markdown.module.css';
import { usePaced } from './use-paced.ts';

/** An unfinished block may lag by one millisecond for each of this many characters. */
const CHARACTERS_A_MS = 40;
const MAX_AGE_MS = 1_000;

export type MarkdownProps = {
  readonly text: string;
  /** The text is still streaming: open markers at its end are closed for now. */
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
 * Blocks that render within a frame or two. A long text that arrives at once is rendered in steps.
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

/** A long growing block renders less often, so that the page stays responsive. */
const Block = memo(function Block({ text, definitions, isGrowing }: BlockProps) {
  const paced = usePaced(text, Math.min(MAX_AGE_MS, text.length / CHARACTERS_A_MS));
  const shown = isGrowing ? remend(paced, { linkMode: 'text-only' }) : text;
  return <Rendered text={definitions === '' ? shown : `${shown}\n\n${definitions}`} />;
});

const PLUGINS = [remarkGfm];

const Rendered = memo(function Rendered({ text }: { readonly text: string }) {
  // Prefixes the ids of footnotes, which must not clash with those of another answer.
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

/** Links check their own address, and image addresses are shown as text. */
const asItIs = (address: string): string => address;
