import { type Counted, countInto, type Figures, NO_FIGURES } from './channel-figures.ts';

/** Returns the counts (`Figures`) of these requests. */
export function figuresOf(...requests: readonly Counted[]): Figures {
  const figures = [...NO_FIGURES];
  for (const counted of requests) countInto(figures, counted);
  return figures;
}
