/** Markdown whose renderer loads with the first answer. Until then, the text stands as it is. */
import { Suspense } from 'react';
import { lazyPart } from '#components/lazy-part.ts';
import classes from './markdown.module.css';
import type { MarkdownProps } from './markdown.tsx';

const Rendered = lazyPart<MarkdownProps>(async () => (await import('./markdown.tsx')).Markdown);

/** Rendered with an empty text, it only loads the renderer. */
export const LazyMarkdown = (props: MarkdownProps) => (
  <Suspense fallback={<div className={classes['plain']}>{props.text}</div>}>
    <Rendered {...props} />
  </Suspense>
);
