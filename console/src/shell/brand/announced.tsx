/**
 * Shows the operator's announcement in a bar above the page. The code of this bar is loaded only if
 * there is an announcement.
 */
import { Suspense } from 'react';
import { useBrand } from '#api/brand.ts';
import { lazyPart } from '#components/lazy-part.ts';
import type { AnnouncementBarProps } from './announcement-bar.tsx';

const Bar = lazyPart<AnnouncementBarProps>(
  async () => (await import('./announcement-bar.tsx')).AnnouncementBar,
);

/** @param m the margin around the bar; by default, only below the bar. */
export function Announced({ m }: { readonly m?: string }) {
  const announcement = useBrand()?.announcement ?? null;
  return announcement === null ? null : (
    <Suspense>
      <Bar {...announcement} {...(m === undefined ? {} : { m })} />
    </Suspense>
  );
}
