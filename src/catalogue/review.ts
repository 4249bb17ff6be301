/** Finds prices whose date of review has passed. */
import type { Card, Catalogue } from './catalogue.ts';

export type ReviewDue = Pick<Card, 'model' | 'channel'> & {
  /** The configured date by which the operator should check the price again. */
  readonly review: string;
  /** Where the operator found the price; null if not configured. */
  readonly source: string | null;
};

/** Returns the prices whose date of review is before the day (UTC) of `nowMs`. */
export function reviewsDue(
  { models }: Pick<Catalogue, 'models'>,
  nowMs: number,
): readonly ReviewDue[] {
  return [...models.values()].flatMap(({ channels }) =>
    [...channels.values()].flatMap(({ card }): readonly ReviewDue[] => {
      const { model, channel, review, source = null } = card;
      if (review === undefined || !isReviewDue(card, nowMs)) return [];
      return [{ model, channel, review, source }];
    }),
  );
}

/** Whether the date of review has passed. A review is not due on the date itself. */
export const isReviewDue = ({ review }: Pick<Card, 'review'>, nowMs: number): boolean =>
  review !== undefined && review < new Date(nowMs).toISOString().slice(0, 10);
