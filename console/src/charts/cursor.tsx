/**
 * The cursor of a chart: a single control for all bars. The pointer or the arrow keys select a bar.
 * The values of the selected bar are shown in a tooltip and announced to screen readers.
 */
import { Paper, Portal } from '@mantine/core';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import classes from './charts.module.css';

const texts = defineTexts('chart-cursor', {
  en: { open: 'Press Enter to open' },
  zh: { open: '按 Enter 键打开' },
});

/**
 * A selected bar, and the index of its selected part, counted from the bottom; null for no part.
 */
export type Selected = { readonly index: number; readonly part: number | null };

export type CursorProps = {
  /** The chart's name for screen readers. */
  readonly label: string;
  /** The number of bars. */
  readonly count: number;
  /** The number of parts of a bar, which the up and down keys select. */
  readonly partsOf: (index: number) => number;
  /**
   * Returns the index of the part at `y` pixels from the top of the plot, or null if there is no
   * part at this position.
   */
  readonly partAt: (index: number, y: number) => number | null;
  /** Returns the text that a screen reader announces. */
  readonly textOf: (selected: Selected) => string;
  readonly tip: (selected: Selected) => ReactNode;
  /** Called with the bar that was clicked, or on which Enter was pressed. */
  readonly onChoose?: ((selected: Selected) => void) | undefined;
};

/**
 * The initial selection: the last bar. The index is infinite, because the number of bars is unknown
 * until the data is loaded.
 */
const LAST: Selected = { index: Number.POSITIVE_INFINITY, part: null };

export function Cursor(props: CursorProps) {
  const { label, count, partAt, textOf, tip, onChoose } = props;
  const t = useTexts(texts);
  const [selected, setSelected] = useState<Selected>(LAST);
  const [isShown, setShown] = useState(false);
  const plot = useRef<HTMLDivElement>(null);
  // Whether a click chooses the bar. On a touch screen, the first touch only shows the values, and
  // the second touch of the same bar chooses it.
  const opens = useRef(true);
  // The number of bars may have changed since the selection.
  const index = Math.max(0, Math.min(selected.index, count - 1));
  const now: Selected = { index, part: selected.part };
  if (count === 0) return null;
  const at = (event: PointerEvent<HTMLElement>): Selected => {
    const { left, top, width } = event.currentTarget.getBoundingClientRect();
    const place = Math.floor(((event.clientX - left) / width) * count);
    const under = Math.max(0, Math.min(count - 1, place));
    return { index: under, part: partAt(under, event.clientY - top) };
  };
  const onPointer = (event: PointerEvent<HTMLElement>): void => {
    const next = at(event);
    if (event.type === 'pointerdown') {
      opens.current = event.pointerType === 'mouse' || (isShown && next.index === index);
    }
    setShown(true);
    if (next.index !== index || next.part !== selected.part) setSelected(next);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key === 'Escape') setShown(false);
    const next = stepped(event.key, now, props);
    if (next === null && (event.key !== 'Enter' || onChoose === undefined)) return;
    event.preventDefault();
    setShown(true);
    if (next === null) onChoose?.(now);
    else setSelected(next);
  };
  return (
    <div
      ref={plot}
      role="slider"
      tabIndex={0}
      className={classes['cursor']}
      aria-label={onChoose === undefined ? label : `${label}. ${t('open')}`}
      aria-valuemin={1}
      aria-valuemax={count}
      aria-valuenow={index + 1}
      aria-valuetext={textOf(now)}
      data-opens={onChoose === undefined ? undefined : true}
      onKeyDown={onKeyDown}
      onFocus={(event) => {
        if (event.currentTarget.matches(':focus-visible')) setShown(true);
      }}
      onBlur={() => setShown(false)}
      onPointerDown={onPointer}
      onPointerMove={onPointer}
      onPointerLeave={({ pointerType }) => {
        // After a touch, the values stay until something else is touched.
        if (pointerType === 'mouse') setShown(false);
      }}
      onClick={() => {
        if (opens.current) onChoose?.(now);
      }}
    >
      {isShown ? (
        <>
          <span
            className={classes['band']}
            style={{ left: `${(100 * index) / count}%`, width: `${100 / count}%` }}
          />
          <Portal>
            <Paper
              aria-hidden
              withBorder
              shadow="md"
              className={classes['tip']}
              style={besideBar(plot.current, index, count)}
            >
              {tip(now)}
            </Paper>
          </Portal>
        </>
      ) : null}
    </div>
  );
}

/** The distance of the tooltip from the bar and from the edge of the window, in pixels. */
const SPACE_PX = 8;

/** Places the tooltip on the side of the bar that has more space in the window. */
function besideBar(plot: HTMLElement | null, index: number, count: number) {
  if (plot === null) return {};
  const { left, top, width } = plot.getBoundingClientRect();
  const page = document.documentElement;
  const [start, end] = [left + (width * index) / count, left + (width * (index + 1)) / count];
  const after = page.clientWidth - end;
  const place = { top: top + window.scrollY, maxWidth: Math.max(start, after) - 2 * SPACE_PX };
  return after > start
    ? { ...place, left: end + SPACE_PX }
    : { ...place, right: page.clientWidth - start + SPACE_PX };
}

/** Returns the selection after a key press; null if the key does not move the cursor. */
function stepped(
  key: string,
  { index, part }: Selected,
  { count, partsOf }: Pick<CursorProps, 'count' | 'partsOf'>,
): Selected | null {
  const to = (next: number): Selected => ({
    index: Math.max(0, Math.min(count - 1, next)),
    part: null,
  });
  switch (key) {
    case 'ArrowLeft':
      return to(index - 1);
    case 'ArrowRight':
      return to(index + 1);
    case 'PageDown':
      return to(index - 7);
    case 'PageUp':
      return to(index + 7);
    case 'Home':
      return to(0);
    case 'End':
      return to(count - 1);
    case 'ArrowUp':
      return { index, part: partsOf(index) === 0 ? null : nextPart(part, partsOf(index)) };
    case 'ArrowDown':
      return { index, part: part === null || part === 0 ? null : part - 1 };
    default:
      return null;
  }
}

const nextPart = (part: number | null, count: number): number =>
  Math.min(count - 1, part === null ? 0 : part + 1);
