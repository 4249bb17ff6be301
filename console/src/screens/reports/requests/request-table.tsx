/** A page of the list of requests; the time of each opens its sheet. */
import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Moment } from '../../../components/moment.tsx';
import { useFormats } from '../../../i18n/formats.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Money } from '../../../money/money.tsx';
import { useChannelName } from '../../public/models/model-facts.tsx';
import { useKeyNames } from '../key-names.ts';
import { reportTexts } from '../report-texts.ts';
import { RequestBadges } from './request-badges.tsx';
import type { RequestRecord } from './request-query.ts';
import { requestTexts } from './request-texts.ts';

export type RequestTableProps = {
  /** Undefined while they load. */
  readonly requests: readonly RequestRecord[] | undefined;
  readonly empty: ReactNode;
};

export function RequestTable({ requests, empty }: RequestTableProps) {
  const t = useTexts(requestTexts);
  return (
    <DataTable
      label={t('title')}
      columns={useColumns()}
      rows={requests}
      keyOf={({ id }) => id}
      minWidth={1040}
      expected={12}
      empty={empty}
    />
  );
}

function useColumns(): readonly Column<RequestRecord>[] {
  const t = useTexts(requestTexts);
  const words = useTexts(reportTexts);
  const channelName = useChannelName();
  const keys = useKeyNames();
  return [
    {
      name: 'settled',
      heading: t('settled'),
      cell: ({ id, at }) => (
        <Anchor
          inherit
          style={{ whiteSpace: 'nowrap' }}
          renderRoot={(props) => (
            <Link
              to="/requests"
              search={(search) => ({ ...search, id })}
              resetScroll={false}
              {...props}
            />
          )}
        >
          <Moment at={at} />
        </Anchor>
      ),
    },
    {
      name: 'model',
      heading: words('model'),
      cell: ({ model, channel }) => (
        <>
          <Text size="sm" ff="monospace" style={{ whiteSpace: 'nowrap' }}>
            {model}
          </Text>
          <Text size="xs" c="dimmed">
            {channelName(channel)}
          </Text>
        </>
      ),
    },
    {
      name: 'key',
      heading: words('key'),
      cell: ({ key_id: key }) => (
        <Text size="sm" maw={160} truncate>
          {keys.get(key) ?? key}
        </Text>
      ),
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
      cell: ({ cost, currency }) => <Money amount={cost} currency={currency} />,
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
  const { input_tokens: fresh, cache_read_tokens: read, output_tokens: output } = request;
  const written = request.cache_write_5m_tokens + request.cache_write_1h_tokens;
  return (
    <>
      {count(fresh + read + written)} / {count(output)}
      {read === 0 ? null : (
        <Text size="xs" c="dimmed">
          {count(read)} {words('cached').toLowerCase()}
        </Text>
      )}
    </>
  );
}

function Took({ request: { duration_ms: totalMs, first_byte_ms: firstMs } }: OfRequest) {
  const { duration } = useFormats();
  const t = useTexts(requestTexts);
  return (
    <>
      {duration(totalMs)}
      {firstMs === null ? null : (
        <Text size="xs" c="dimmed">
          {t('firstByte')} {duration(firstMs)}
        </Text>
      )}
    </>
  );
}
