/**
 * A page of requests. The time in each row opens the details. Cells show more in `title`
 * attributes, because hundreds of tooltip components would slow down every click.
 */
import { Anchor } from '@mantine/core';
import { memo, type ReactNode } from 'react';
import { useChannelName } from '#catalogue/model-facts.tsx';
import { tokensOf } from '#catalogue/usage-buckets.ts';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { formatExact, formatShort, parseAmount, withCurrency } from '#money/amount.ts';
import { useKeyNames } from '#screens/reports/key-names.ts';
import { reportTexts } from '#screens/reports/report-texts.ts';
import { RequestBadges } from './request-badges.tsx';
import type { RequestRecord } from './request-query.ts';
import { requestTexts } from './request-texts.ts';
import classes from './requests.module.css';

export type RequestTableProps = {
  /** The requests; undefined while loading. */
  readonly requests: readonly RequestRecord[] | undefined;
  readonly empty: ReactNode;
  /** Opens the details. The function must be stable, so that unchanged rows do not render again. */
  readonly onOpen: (id: string) => void;
};

export const RequestTable = memo(function RequestTable(props: RequestTableProps) {
  const { requests, empty, onOpen } = props;
  const t = useTexts(requestTexts);
  return (
    <DataTable
      label={t('title')}
      columns={useColumns(onOpen)}
      rows={requests}
      keyOf={({ id }) => id}
      minWidth={1040}
      expected={12}
      empty={empty}
    />
  );
});

function useColumns(onOpen: (id: string) => void): readonly Column<RequestRecord>[] {
  const t = useTexts(requestTexts);
  const words = useTexts(reportTexts);
  const channelName = useChannelName();
  const keys = useKeyNames();
  const { time } = useFormats();
  return [
    {
      name: 'settled',
      heading: t('settled'),
      cell: ({ id, at }) => (
        <Anchor
          component="button"
          inherit
          title={at}
          style={{ whiteSpace: 'nowrap' }}
          aria-haspopup="dialog"
          onClick={() => onOpen(id)}
        >
          <time dateTime={at}>{time(at)}</time>
        </Anchor>
      ),
    },
    {
      name: 'model',
      heading: words('model'),
      cell: ({ model, channel }) => (
        <>
          <span className={classes['id']}>{model}</span>
          <small className={classes['small']}>{channelName(channel)}</small>
        </>
      ),
    },
    {
      name: 'key',
      heading: words('key'),
      cell: ({ key_id: key }) => <span className={classes['key']}>{keys.get(key) ?? key}</span>,
    },
    {
      name: 'tokens',
      heading: t('tokensInOut'),
      end: true,
      cell: (request) => <Sold request={request} />,
    },
    {
      name: 'cost',
      heading: t('cost'),
      end: true,
      cell: (request) => <Cost request={request} />,
    },
    {
      name: 'duration',
      heading: t('duration'),
      end: true,
      cell: (request) => <Took request={request} />,
    },
    {
      name: 'status',
      heading: t('status'),
      cell: (request) => <RequestBadges request={request} />,
    },
  ];
}

type OfRequest = { readonly request: RequestRecord };

function Sold({ request }: OfRequest) {
  const { count } = useFormats();
  const words = useTexts(reportTexts);
  if (request.images > 0) return words('imageCount', { count: request.images });
  const read = tokensOf(request, 'cache_read');
  const input = read + tokensOf(request, 'input', 'cache_write');
  return (
    <>
      {count(input)} / {count(tokensOf(request, 'output'))}
      {read === 0 ? null : (
        <small className={classes['small']}>
          {count(read)} {words('cached').toLowerCase()}
        </small>
      )}
    </>
  );
}

function Cost({ request: { cost, currency } }: OfRequest) {
  const amount = parseAmount(cost);
  return (
    <span title={withCurrency(formatExact(amount), currency)} style={{ whiteSpace: 'nowrap' }}>
      {withCurrency(formatShort(amount), currency)}
    </span>
  );
}

function Took({ request: { duration_ms: totalMs, first_byte_ms: firstMs } }: OfRequest) {
  const { duration } = useFormats();
  const t = useTexts(requestTexts);
  return (
    <>
      {duration(totalMs)}
      {firstMs === null ? null : (
        <small className={classes['small']}>
          {t('firstByte')} {duration(firstMs)}
        </small>
      )}
    </>
  );
}
