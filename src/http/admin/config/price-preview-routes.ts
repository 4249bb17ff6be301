/** The route that computes what the requests of the last days would have cost at new prices. */
import * as z from 'zod';
import { type Catalogue, CHANNELS, wholeCatalogue } from '../../../catalogue/catalogue.ts';
import type { Document } from '../../../config/document/document.ts';
import { patchedDocument } from '../../../config/document/edits.ts';
import { importSteps } from '../../../config/document/imported-file.ts';
import { inSlices } from '../../../config/document/steps.ts';
import { GatewayError } from '../../../errors.ts';
import { formatAmount, type NanoAmount, nano } from '../../../money/amount.ts';
import { dateOf, dayOf } from '../../../money/calendar.ts';
import { percentOf } from '../../../reconcile/price-data/price-differences.ts';
import {
  NOT_REPRICED,
  type Previewed,
  type PricePreview,
  proposedCards,
  withdrawnCards,
} from '../../../reports/operator/price-preview.ts';
import { invalid, MAX_DOCUMENT_BYTES } from '../../../revisions/config-changes.ts';
import { amount, count, currency, date, NO_STORE } from '../../edge/answer-schema.ts';
import { DOCUMENT_LIMITS } from '../../edge/body.ts';
import { checked } from '../../edge/request-schema.ts';
import { type AdminCall, adminRoute, type Route } from '../../edge/route.ts';
import {
  type ConfigDatabase,
  type ConfigDeps,
  databaseOf,
  restoredCard,
  restoredRevision,
} from './config-calls.ts';
import { NEW_DOCUMENT, NEW_FILE } from './config-schemas.ts';

/** The file name in reported problems when a YAML file is previewed. */
const IMPORTED = 'import.yaml';
/** Number of days in a preview, today included. */
const DAYS = 30;

const SUMS = {
  requests: count,
  earned: amount.meta({
    description:
      'The charges of these requests in USD, each converted at the exchange rate at the time of the request.',
  }),
} as const;

const REPRICED = z
  .strictObject({
    ...SUMS,
    proposed: amount.meta({
      description:
        'The charges of the same requests at the new prices, in USD. A request that the wallet could pay only in part counts with its full price.',
    }),
    difference: amount.meta({ description: '`proposed` minus `earned`.' }),
    percent: z.string().nullable().meta({
      description:
        'The difference in percent of `earned`, such as `+8.8`; null if nothing was earned.',
    }),
  })
  .meta({
    description: 'Totals of the requests whose charges at the new prices can be computed exactly.',
  });

const PREVIEWED = z
  .strictObject({
    model: z.string(),
    channel: z.enum(CHANNELS),
    price_list: z.string().nullable().meta({
      description: 'The price list that the accounts are on now; null: the public prices.',
    }),
    currency: currency.meta({ description: 'The currency of the wallets that paid.' }),
    withdrawn: z.boolean().meta({
      description: 'Whether `proposed` uses an announced price that the change would withdraw.',
    }),
    ...SUMS,
    proposed: amount.nullable().meta({
      description: 'The charges at the new prices, in USD; null if they cannot be computed.',
    }),
    unknown: z.enum(NOT_REPRICED).nullable().meta({
      description:
        'Why `proposed` is null: the price has conditions, and there are too many requests to price one by one; too many accounts are on price lists; an image has no new price; the price changes from tokens to images, or from images to tokens; or there is no exchange rate.',
    }),
  })
  .meta({ id: 'PreviewedUsage' });

export const PRICE_PREVIEW = z
  .strictObject({
    from: date.meta({ description: 'The first day (UTC).' }),
    to: date.meta({ description: 'The last day (UTC), included: today.' }),
    repriced: REPRICED,
    not_repriced: z.strictObject(SUMS).meta({
      description:
        'Totals of the requests to the same models and channels whose new charges cannot be computed.',
    }),
    withdrawn: REPRICED.nullable().meta({
      description:
        'Totals of the requests on channels whose announced price the change withdraws without replacing it. `proposed` is what they would cost at the withdrawn price. Null: no price is withdrawn.',
    }),
    data: z.array(PREVIEWED),
  })
  .meta({ id: 'PricePreview' });

export type PricePreviewDeps = ConfigDeps & {
  readonly catalogue: () => Catalogue;
  readonly preview: Pick<PricePreview, 'of'>;
};

const ASKED = z.strictObject({
  document: NEW_DOCUMENT.shape.document.optional().meta({
    description:
      'The new prices, as a JSON merge patch of the configuration. Send exactly one of `document`, `yaml`, `revision` and `card`.',
  }),
  yaml: NEW_FILE.shape.yaml
    .optional()
    .meta({ description: 'The new prices, as a YAML file of the whole configuration.' }),
  revision: z
    .int()
    .positive()
    .optional()
    .meta({ description: 'The new prices, as the number of an earlier revision.' }),
  card: z.string().min(1).max(64).optional().meta({
    description: 'The new price, as the id of an earlier price card.',
  }),
});

export function pricePreviewRoutes(deps: PricePreviewDeps): readonly Route[] {
  const doc = {
    summary: `Compute what the requests of the last ${DAYS} days would cost at proposed prices`,
    request: ASKED,
    response: PRICE_PREVIEW,
  };
  const route = adminRoute('POST /config/prices/preview', doc, (call) => previewed(deps, call));
  return [{ ...route, maxBodyBytes: MAX_DOCUMENT_BYTES, scanLimits: DOCUMENT_LIMITS }];
}

async function previewed(deps: PricePreviewDeps, call: AdminCall): Promise<Response> {
  const { catalogue, preview, clock } = deps;
  const asked = checked(ASKED, await call.readJson());
  const database = databaseOf(deps);
  const proposed = await database.changes.proposed(await editOf(database, asked, clock));
  const toDay = dayOf(clock.nowMs());
  const days = { fromDay: toDay - DAYS + 1, toDay };
  const [before, after] = [catalogue(), wholeCatalogue(proposed.catalogue)];
  const groups = await preview.of(proposedCards(before, after), days);
  const withdrawn = await preview.of(withdrawnCards(before, after), days);
  return Response.json(previewBody(groups, withdrawn, days), { headers: NO_STORE });
}

/**
 * Returns the edit to preview. It comes from exactly one of a patch, a YAML file, a revision or a
 * price card.
 * @throws GatewayError `invalid_value`, `not_found`
 */
async function editOf(
  database: ConfigDatabase,
  { document: patch, yaml, revision, card }: z.infer<typeof ASKED>,
  clock: ConfigDeps['clock'],
): Promise<(document: Document) => Document> {
  if ([patch, yaml, revision, card].filter((each) => each !== undefined).length !== 1) {
    const message = 'Send one of `document`, `yaml`, `revision` and `card`.';
    throw new GatewayError('invalid_value', message, { param: 'document' });
  }
  if (revision !== undefined) return (await restoredRevision(database, String(revision))).edit;
  if (card !== undefined) return await restoredCard(database, card);
  if (yaml !== undefined) {
    const file = await inSlices(importSteps(yaml, IMPORTED), clock);
    if ('problems' in file) throw invalid(file.problems);
    return () => file.document;
  }
  return (it) => patchedDocument(it, patch ?? {});
}

type Repriced = Previewed & { readonly proposed: NanoAmount };
const isRepriced = (group: Previewed): group is Repriced => typeof group.proposed === 'bigint';

function previewBody(
  groups: readonly Previewed[],
  withdrawn: readonly Previewed[],
  { fromDay, toDay }: { readonly fromDay: number; readonly toDay: number },
): z.infer<typeof PRICE_PREVIEW> {
  const given = withdrawn.filter(isRepriced);
  return {
    ...{ from: dateOf(fromDay), to: dateOf(toDay) },
    repriced: repricedBody(groups.filter(isRepriced)),
    not_repriced: sumsBody([...groups, ...withdrawn].filter((group) => !isRepriced(group))),
    withdrawn: given.length === 0 ? null : repricedBody(given),
    data: [
      ...groups.map((group) => usageBody(group, false)),
      ...withdrawn.map((group) => usageBody(group, true)),
    ],
  };
}

const usageBody = (group: Previewed, isWithdrawn: boolean): z.infer<typeof PREVIEWED> => ({
  ...{ model: group.model, channel: group.channel, price_list: group.list },
  ...{ currency: group.currency, withdrawn: isWithdrawn },
  ...sumsBody([group]),
  proposed: isRepriced(group) ? formatAmount(group.proposed) : null,
  unknown: typeof group.proposed === 'string' ? group.proposed : null,
});

function repricedBody(known: readonly Repriced[]): z.infer<typeof REPRICED> {
  const proposed = known.reduce((sum, group) => sum + group.proposed, 0n);
  const earned = earnedBy(known);
  return {
    ...sumsBody(known),
    proposed: formatAmount(nano(proposed)),
    difference: formatAmount(nano(proposed - earned)),
    percent: percentOf(earned, proposed),
  };
}

const earnedBy = (groups: readonly Previewed[]): bigint =>
  groups.reduce((sum, { earned }) => sum + earned, 0n);

const sumsBody = (groups: readonly Previewed[]) => ({
  requests: groups.reduce((sum, { requests }) => sum + Number(requests), 0),
  earned: formatAmount(nano(earnedBy(groups))),
});
