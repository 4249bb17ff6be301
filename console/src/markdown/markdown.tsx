/** Renders Markdown as React elements, block by block, also while the text streams. */
import { Anchor } from '@mantine/core';
import { IconPhotoOff, IconSquare, IconSquareCheck } from '@tabler/icons-react';
import {
  type ComponentProps,
  memo,
  type ReactNode,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import ReactMarkdown, { type Components, type ExtraProps } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import remend from 'remend';
import { CodeBlock } from '#code/code-block.tsx';
import { codeLanguageOf } from '#code/highlighter.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { definitionsIn, isTooCostly, splitBlocks } from './blocks.ts';
import { linkTarget } from './link-target.ts';
import classes from './markdown.module.css';

/**
 * The minimum time between two renderings of a growing block is one millisecond for each
 * `CHARACTERS_A_MS` characters, but at most `MAX_AGE_MS`.
 */
const CHARACTERS_A_MS = 40;
const MAX_AGE_MS = 1_000;

export type MarkdownProps = {
  readonly text: string;
  /**
   * Whether the text is still streaming. Markdown markers that are open at its end count as closed.
   */
  readonly isGrowing?: boolean;
  /** Whether the text is a whole page. Its headings then start one level below the page's title. */
  readonly isPage?: boolean;
};

export function Markdown({ text, isGrowing = false, isPage = false }: MarkdownProps) {
  const { blocks, definitions } = useMemo(() => splitBlocks(text), [text]);
  const shown = useShownCount(blocks.length);
  return (
    <div className={classes['text']}>
      {blocks.slice(0, shown).map((block, at) => (
        <Block
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks are identified by position.
          key={at}
          text={block}
          definitions={definitionsIn(block, definitions)}
          isGrowing={isGrowing && at === blocks.length - 1}
          isPage={isPage}
        />
      ))}
    </div>
  );
}

/**
 * The number of blocks that render within a frame or two. A long text that arrives at once is
 * rendered this many blocks at a time.
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
  readonly isPage: boolean;
};

/**
 * Renders one block. A long growing block renders less often, so that the page stays responsive.
 */
const Block = memo(function Block({ text, definitions, isGrowing, isPage }: BlockProps) {
  const paced = usePaced(text, Math.min(MAX_AGE_MS, text.length / CHARACTERS_A_MS));
  const shown = isGrowing ? remend(paced, { linkMode: 'text-only' }) : text;
  const whole = definitions === '' ? shown : `${shown}\n\n${definitions}`;
  return <Rendered text={whole} isPage={isPage} />;
});

const PLUGINS = [remarkGfm];

const Rendered = memo(function Rendered({ text, isPage }: Pick<BlockProps, 'text' | 'isPage'>) {
  // This prefix keeps the footnote ids of different answers on one page distinct.
  const clobberPrefix = useId();
  if (isTooCostly(text)) return <div className={classes['plain']}>{text.trim()}</div>;
  return (
    <div className={classes['block']}>
      <ReactMarkdown
        remarkPlugins={PLUGINS}
        remarkRehypeOptions={{ clobberPrefix }}
        components={isPage ? PAGE_ELEMENTS : ELEMENTS}
        urlTransform={asItIs}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
});

/**
 * Returns a URL unchanged, because the component for links checks its URL, and the component for
 * images shows its URL as text.
 */
const asItIs = (address: string): string => address;

/** Throttles a changing value to one update per `everyMs`; the last value always arrives. */
function usePaced<Value>(value: Value, everyMs: number): Value {
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

const texts = defineTexts('markdown', {
  en: {
    table: 'Table',
    blocked: 'Image not loaded',
    done: 'Done',
    open: 'Open',
    code: 'Code',
    codeIn: 'Code: {{language}}',
  },
  zh: {
    table: '表格',
    blocked: '未加载图片',
    done: '已完成',
    open: '未完成',
    code: '代码',
    codeIn: '代码：{{language}}',
  },
});

type Of<Name extends keyof React.JSX.IntrinsicElements> = ComponentProps<Name> & ExtraProps;

function Link({ href, children }: Of<'a'>) {
  const target = linkTarget(href ?? '');
  if (target === null) return <span>{children}</span>;
  return (
    <Anchor href={target} target="_blank" rel="noreferrer noopener" underline="always" inherit>
      {children}
    </Anchor>
  );
}

/**
 * Shows the URL of an image as text. Loading the image could leak the conversation to the server of
 * the image.
 */
function BlockedImage({ src, alt }: Of<'img'>) {
  const t = useTexts(texts);
  return (
    <span className={classes['blocked']}>
      <IconPhotoOff size={14} aria-hidden />
      <span>{t('blocked')}</span>
      {alt ? <span>{alt}</span> : null}
      {typeof src === 'string' && src !== '' ? <code>{src}</code> : null}
    </span>
  );
}

function ScrollingTable({ children }: Of<'table'>) {
  const t = useTexts(texts);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area needs keyboard access.
    <figure className={classes['scroll']} tabIndex={0} aria-label={t('table')}>
      <table className={classes['table']}>{children}</table>
    </figure>
  );
}

/** The checkbox of a task list, which is the only input in Markdown. */
function Checkbox({ checked }: Of<'input'>) {
  const t = useTexts(texts);
  const Icon = checked ? IconSquareCheck : IconSquare;
  return <Icon size={16} role="img" aria-label={checked ? t('done') : t('open')} />;
}

/**
 * Returns a component for headings of level `level` in the text. All of them are rendered as `Tag`,
 * to keep the page's outline intact, and differ only in size.
 */
const heading = (level: number, Tag: 'h2' | 'h3' = 'h3') =>
  function Heading({ children }: { readonly children?: ReactNode }) {
    return (
      <Tag className={classes['heading']} data-level={level}>
        {children}
      </Tag>
    );
  };

const Code = ({ children }: Of<'code'>) => (
  <code className={classes['inlineCode']}>{children}</code>
);

/** A code block, whose only child is the element with the text and the language. */
function Preformatted({ node, children }: Of<'pre'>) {
  const t = useTexts(texts);
  const [code] = node?.children ?? [];
  if (code?.type !== 'element' || code.tagName !== 'code') return <pre>{children}</pre>;
  const [text] = code.children;
  const { className } = code.properties;
  const named = Array.isArray(className) ? className.find(isLanguage) : undefined;
  const language = named?.slice(LANGUAGE.length) ?? '';
  return (
    <CodeBlock
      code={text?.type === 'text' ? text.value.replace(/\n$/, '') : ''}
      language={codeLanguageOf(language)}
      title={language}
      label={language === '' ? t('code') : t('codeIn', { language })}
    />
  );
}

const LANGUAGE = 'language-';
const isLanguage = (name: string | number): name is string =>
  typeof name === 'string' && name.startsWith(LANGUAGE);

/**
 * The elements of a rendered answer. Since answers are untrusted, the elements load nothing, link
 * only to websites and email addresses, and do not disturb the page's heading outline.
 */
const ELEMENTS: Components = {
  a: Link,
  img: BlockedImage,
  table: ScrollingTable,
  input: Checkbox,
  code: Code,
  pre: Preformatted,
  h1: heading(1),
  h2: heading(2),
  h3: heading(3),
  h4: heading(4),
  h5: heading(5),
  h6: heading(6),
};
const PAGE_ELEMENTS: Components = {
  ...ELEMENTS,
  h1: heading(1, 'h2'),
  h2: heading(2, 'h2'),
};
