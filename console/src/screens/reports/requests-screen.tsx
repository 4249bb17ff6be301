/** The request log: filters kept in the URL, a histogram, and the cost of each request. */
import { Button, Card } from '@mantine/core';
import { IconListDetails } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { ButtonLink } from '#components/button-link.tsx';
import { Empty } from '#components/empty.tsx';
import { Page } from '#components/page.tsx';
import { PagedTable } from '#components/tables/paged-table.tsx';
import { useTexts } from '#i18n/texts.ts';
import { useTimeZone } from '#i18n/time-zone.ts';
import { useRequestColumns } from '#requests/request-columns.tsx';
import { navigationTexts } from '#shell/navigation.ts';
import type { RangeSearch } from './range.ts';
import { RangePicker } from './range-picker.tsx';
import { reportTexts } from './report-texts.ts';
import { RefusedRequests } from './requests/refused-requests.tsx';
import { RequestFilters } from './requests/request-filters.tsx';
import { RequestHistogram } from './requests/request-histogram.tsx';
import {
  anyRequestQuery,
  csvHref,
  filterOf,
  histogramQuery,
  requestsQuery,
} from './requests/request-query.ts';
import { isFiltered } from './requests/request-search.ts';
import { RequestSheet } from './requests/request-sheet.tsx';
import { requestTexts } from './requests/request-texts.ts';

const route = getRouteApi('/app/requests');

export function RequestsScreen() {
  const title = useTexts(navigationTexts);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  // The present time is read only once, so that a preset such as the last 7 days keeps its days.
  const [nowMs] = useState(() => Date.now());
  const timeZone = useTimeZone();
  const filter = filterOf(search, nowMs, timeZone);
  const histogram = useQuery(histogramQuery(filter, timeZone));
  const change = (values: Readonly<Record<string, unknown>>): void =>
    void navigate({ search: (now) => ({ ...now, ...values }), resetScroll: false });
  const chooseBar = useCallback(
    (from: string, to: string) =>
      void navigate({
        search: (now) => ({ ...now, range: undefined, from, to }),
        resetScroll: false,
      }),
    [navigate],
  );
  const choose = ({ range, from, to }: RangeSearch): void => change({ range, from, to });
  const { columns, ...list } = useList();
  return (
    <Page title={title('requests')}>
      <RangePicker {...{ timeZone, nowMs }} range={search} onChange={choose} />
      <RequestFilters search={search} onCommit={(name, value) => change({ [name]: value })} />
      <RequestHistogram {...{ timeZone }} histogram={histogram.data} onChoose={chooseBar} />
      {search.request === undefined && search.status !== 'refused' ? null : (
        <RefusedRequests id={search.request} />
      )}
      <Card>
        <PagedTable
          {...list}
          name="requests"
          columns={columns}
          pages={useInfiniteQuery(requestsQuery(filter))}
          keyOf={({ id }) => id}
          expected={12}
          empty={<NothingFound />}
          csv={{ href: csvHref(filter) }}
          hasViews
        />
      </Card>
      <RequestSheet id={search.id} onClose={() => change({ id: undefined })} />
    </Page>
  );
}

function useList() {
  const t = useTexts(requestTexts);
  const { time, model, state, cost, tokens, duration, key, ...more } = useRequestColumns('here');
  const { firstToken, channel, cached, notes, code, id } = more;
  const rare = { ...code, show: 'chosen', phone: 'hidden' } as const;
  const columns = [time, model, state, cost, tokens, duration, firstToken, key, channel];
  return { label: t('list'), columns: [...columns, cached, notes, rare, id] };
}

/** What to do when no request is found: there may be none yet, or only none of this time. */
function NothingFound() {
  const t = useTexts(requestTexts);
  const words = useTexts(reportTexts);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const isUnfiltered = !isFiltered(search);
  const { data: hasAny = true } = useQuery({ ...anyRequestQuery, enabled: isUnfiltered });
  if (isUnfiltered && !hasAny) {
    return (
      <Empty
        icon={IconListDetails}
        title={t('none')}
        action={<ButtonLink to="/quick-start">{t('quickStart')}</ButtonLink>}
      >
        {t('noneHint')}
      </Empty>
    );
  }
  return (
    <Empty
      icon={IconListDetails}
      title={t('empty')}
      action={
        <Button variant="default" onClick={() => void navigate({ search: { range: '90d' } })}>
          {isUnfiltered ? t('longer') : words('clear')}
        </Button>
      }
    >
      {t('emptyHint')}
    </Empty>
  );
}
