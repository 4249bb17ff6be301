/**
 * The elements of a rendered answer. Since answers are untrusted, the elements load nothing, link
 * only to websites and e-mail addresses, and do not disturb the page's heading outline.
 */
import { Anchor } from '@mantine/core';
import { IconPhotoOff, IconSquare, IconSquareCheck } from '@tabler/icons-react';
import type { ComponentProps, ReactNode } from 'react';
import type { Components, ExtraProps } from 'react-markdown';
import { CodeBlock } from '#code/code-block.tsx';
import { codeLanguageOf } from '#code/highlighter.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { linkTarget } from './link-target.ts';
import classes from './markdown.module.css';

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
 * Shows the URL of an image as text. Loading the image could leak the conversation to its
 * server.
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
 * Returns a heading of the given size. All headings have the same level, so that an answer does not
 * disturb the page's outline.
 */
const heading = (level: number) =>
  function Heading({ children }: { readonly children?: ReactNode }) {
    return (
      <h3 className={classes['heading']} data-level={level}>
        {children}
      </h3>
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

export const ELEMENTS: Components = {
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
