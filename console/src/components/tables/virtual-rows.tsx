/**
 * Renders the rows of a long list that are near the visible part of the page. Two empty rows fill
 * the space of the rows that are not rendered, and each row states its index in the whole list.
 */
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type Ref, useLayoutEffect, useRef, useState } from 'react';
import { ROLES } from './table-parts.tsx';

/** The expected height of a row, until it is measured. */
const ROW_PX = 38;
/** Rows rendered above and below the visible part, so that scrolling shows no gaps. */
const OVERSCAN = 8;

export type VirtualRowsProps = {
  readonly count: number;
  readonly keyAt: (index: number) => string | number;
  /** Renders a row, with the `ref` by which it is measured. */
  readonly rowAt: (index: number, ref: Ref<HTMLTableRowElement>) => ReactNode;
};

export function VirtualRows({ count, keyAt, rowAt }: VirtualRowsProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    setTop((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
  }, []);
  const virtual = useWindowVirtualizer({
    ...{ count, overscan: OVERSCAN, scrollMargin: top, getItemKey: keyAt },
    estimateSize: () => ROW_PX,
  });
  const items = virtual.getVirtualItems();
  const before = (items[0]?.start ?? top) - top;
  const after = virtual.getTotalSize() - ((items.at(-1)?.end ?? top) - top);
  return (
    <tbody ref={body} {...ROLES.part}>
      <Space heightPx={before} />
      {items.map(({ index }) => rowAt(index, virtual.measureElement))}
      <Space heightPx={after} />
    </tbody>
  );
}

/** An empty row that fills the space of rows that are not rendered. */
function Space({ heightPx }: { readonly heightPx: number }) {
  if (heightPx <= 0) return null;
  return (
    <tr aria-hidden>
      <td style={{ height: heightPx, padding: 0, border: 0 }} />
    </tr>
  );
}
