/** The route that says what the requests of the last days would have come to at new prices. */
import { z } from 'zod';
import { type Catalogue, CHANNELS, wholeCatalogue } from '../../../catalogue/catalogue.ts';
import { patchedDocument } from '../../../config/document/edits.ts';
import { formatAmount, type NanoAmount, nano } from '../../../money/amount.ts';
import { dateOf, dayOf } from '../../../money/calendar.ts';
import { percentOf } from '../../../reconcile/price-data/price-differences.ts';
import {
  NOT_REPRICED,
  type Previewed,
  type PricePreview,
  proposedCards,
} from '../../../reports/operator/price-preview.ts';
import { MAX_DOCUMENT_BYTES } from '../../../revisions/config-changes.ts';
import { amount, count, currency, date, NO_STORE } from '../../edge/answer-schema.ts';
import { DOCUMENT_LIMITS } from '../../edge/body.ts';
import { checked } from '../../edge/request-schema.ts';
import { type AdminCall, adminRoute, type Route } from '../../edge/route.ts';
import { type ConfigDeps, databaseOf } from './config-calls.ts';
import { NEW_DOCUMENT } from './config-schemas.ts';

/** The days of a preview, today included. */
const DAYS = 30;

const SUMS = {
  requests: count,
  earned: amount.meta({
    description: 'What they were charged, in USD, each converted at the rate of its time.',
  }),
} as const;

export const PRICE_PREVIEW = z
  .strictObject({
    from: date.meta({ description: 'The first day (UTC).' }),
    to: date.meta({ description: 'The last day (UTC), included: today.' }),
    repriced: z
      .strictObject({
        ...SUMS,
        proposed: amount.meta({
          description:
            'What the same requests come to at the new prices, in USD. Requests that their wallet could not pay for count in full.',
        }),
        difference: amount.meta({ description: '`proposed` less `earned`.' }),
        percent: z.string().nullable().meta({
          description: 'The difference, such as `+8.8`; null if nothing was earned.',
        }),
      })
      .meta({ description: 'The requests that the new prices can be computed for, exactly.' }),
    not_repriced: z
      .strictObject(SUMS)
      .meta({ description: 'The other requests of the same models and channels.' }),
    data: z.array(
      z
        .strictObject({
          model: z.string(),
          channel: z.enum(CHANNELS),
          price_list: z.string().nullable().meta({
            description: 'The price list that the accounts are on now; null: the public prices.',
          }),
          currency: currency.meta({ description: 'The currency of the wallets that paid.' }),
          ...SUMS,
          proposed: amount.nullable().meta({ description: 'In USD; null if it is not known.' }),
          unknown: z.enum(NOT_REPRICED).nullable().meta({
            description:
              'Why it is not known: the price has conditions, or is by the image, and there are too many requests to price one by one; too many accounts are on price lists; an image has no new price; the price changes between tokens and images; or there is no exchange rate.',
          }),
        })
        .meta({ id: 'PreviewedUsage' }),
    ),
  })
  .meta({ id: 'PricePreview' });

export type PricePreviewDeps = ConfigDeps & {
  readonly catalogue: () => Catalogue;
  readonly preview: Pick<PricePreview, 'of'>;
};

export function pricePreviewRoutes(deps: PricePreviewDeps): readonly Route[] {
  const doc = {
    summary: `Price the requests of the last ${DAYS} days at proposed prices, and change nothing`,
    request: NEW_DOCUMENT,
    response: PRICE_PREVIEW,
  };
  const route = adminRoute('POST /config/prices/preview', doc, (call) => previewed(deps, call));
  return [{ ...route, maxBodyBytes: MAX_DOCUMENT_BYTES, scanLimits: DOCUMENT_LIMITS }];
}

async function previewed(deps: PricePreviewDeps, call: AdminCall): Promise<Response> {
  const { catalogue, preview, clock } = deps;
  const { document: patch } = checked(NEW_DOCUMENT, await call.readJson());
  const { catalogue: after } = await databaseOf(deps).changes.proposed((it) =>
    patchedDocument(it, patch),
  );
  const toDay = dayOf(clock.nowMs());
  const days = { fromDay: toDay - DAYS + 1, toDay };
  const groups = await preview.of(proposedCards(catalogue(), wholeCatalogue(after)), days);
  return Response.json(previewBody(groups, days), { headers: NO_STORE });
}

type Repriced = Previewed & { readonly proposed: NanoAmount };
const isRepriced = (group: Previewed): group is Repriced => typeof group.proposed === 'bigint';

function previewBody(
  groups: readonly Previewed[],
  { fromDay, toDay }: { readonly fromDay: number; readonly toDay: number },
): z.infer<typeof PRICE_PREVIEW> {
  const known = groups.filter(isRepriced);
  const proposed = known.reduce((sum, group) => sum + group.proposed, 0n);
  const earned = earnedBy(known);
  return {
    ...{ from: dateOf(fromDay), to: dateOf(toDay) },
    repriced: {
      ...sumsBody(known),
      proposed: formatAmount(nano(proposed)),
      difference: formatAmount(nano(proposed - earned)),
      percent: percentOf(earned, proposed),
    },
    not_repriced: sumsBody(groups.filter((group) => !isRepriced(group))),
    data: groups.map((group) => ({
      ...{ model: group.model, channel: group.channel, price_list: group.list },
      currency: group.currency,
      ...sumsBody([group]),
      proposed: isRepriced(group) ? formatAmount(group.proposed) : null,
      unknown: typeof group.proposed === 'string' ? group.proposed : null,
    })),
  };
}

const earnedBy = (groups: readonly Previewed[]): bigint =>
  groups.reduce((sum, { earned }) => sum + earned, 0n);

const sumsBody = (groups: readonly Previewed[]) => ({
  requests: groups.reduce((sum, { requests }) => sum + Number(requests), 0),
  earned: formatAmount(nano(earnedBy(groups))),
});
