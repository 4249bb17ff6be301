/** A text in markdown as React elements, block by block, also while it is being written. */
import { memo, useEffect, useId, useMemo, useState } from 'react';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import remend from 'remend';
import { splitBlocks } from './blocks.ts';
import { ELEMENTS } from './elements.tsx';
import classes from './markdown.module.css';
import { usePaced } from './use-paced.ts';

/** Characters of an unfinished block for which its picture may be a millisecond old. */
const CHARACTERS_A_MS = 40;
const MAX_AGE_MS = 1_000;

export type MarkdownProps = {
  readonly text: string;
  /** More is coming: marks that are still open at the end are closed for the time being. */
  readonly isGrowing?: boolean;
};

export function Markdown({ text, isGrowing = false }: MarkdownProps) {
  const { blocks, definitions } = useMemo(() => splitBlocks(text), [text]);
  const shown = useShownCount(blocks.length);
  return (
    <div className={classes['text']}>
      {blocks.slice(0, shown).map((block, at) => (
        <Block
          // biome-ignore lint/suspicious/noArrayIndexKey: a block is its number.
          key={at}
          text={block}
          definitions={block.includes('[') ? definitions : ''}
          isGrowing={isGrowing && at === blocks.length - 1}
        />
      ))}
    </div>
  );
}

/** As many blocks as are drawn within a frame or two: a long text that is there at once comes in steps. */
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

/** A long block that grows is drawn less often, so that the page stays as quick as before. */
const Block = memo(function Block({ text, definitions, isGrowing }: BlockProps) {
  const paced = usePaced(text, Math.min(MAX_AGE_MS, text.length / CHARACTERS_A_MS));
  const shown = isGrowing ? remend(paced, { linkMode: 'text-only' }) : text;
  return <Rendered text={definitions === '' ? shown : `${shown}\n\n${definitions}`} />;
});

const PLUGINS = [remarkGfm];

const Rendered = memo(function Rendered({ text }: { readonly text: string }) {
  // Footnotes link to each other by ids, which must not meet those of another answer.
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

/** Links judge their address themselves; what an image would have loaded is shown as text. */
const asItIs = (address: string): string => address;
