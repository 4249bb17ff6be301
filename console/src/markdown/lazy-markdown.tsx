/** Renders Markdown with a renderer that loads on demand. Until then, the plain text is shown. */
import { Suspense } from 'react';
import { lazyPart } from '#components/lazy-part.ts';
import classes from './markdown.module.css';
import type { MarkdownProps } from './markdown.tsx';

const Rendered = lazyPart<MarkdownProps>(async () => (await import('./markdown.tsx')).Markdown);

/** Shows the text as Markdown. With an empty text, it only loads the renderer in advance. */
export const LazyMarkdown = (props: MarkdownProps) => (
  <Suspense fallback={<div className={classes['plain']}>{props.text}</div>}>
    <Rendered {...props} />
  </Suspense>
);
