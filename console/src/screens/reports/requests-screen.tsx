/** The request log: filters kept in the URL, a histogram, and the cost of each request. */
import { Button, Card, Group, Stack } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconListDetails } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { ApiProblem } from '#components/api-problem.tsx';
import { Empty } from '#components/empty.tsx';
import { Page } from '#components/page.tsx';
import { useTexts } from '#i18n/texts.ts';
import { navigationTexts } from '#shell/navigation.ts';
import type { RangeSearch } from './range.ts';
import { RangePicker } from './range-picker.tsx';
import { reportTexts } from './report-texts.ts';
import { RequestFilters } from './requests/request-filters.tsx';
import { RequestHistogram } from './requests/request-histogram.tsx';
import { filterOf, histogramQuery, requestsQuery } from './requests/request-query.ts';
import type { RequestSearch } from './requests/request-search.ts';
import { RequestSheet } from './requests/request-sheet.tsx';
import { RequestTable } from './requests/request-table.tsx';
import { requestTexts } from './requests/request-texts.ts';

const route = getRouteApi('/app/requests');

export function RequestsScreen() {
  const title = useTexts(navigationTexts);
  const search = route.useSearch();
  const { show, narrow } = useSearchChange(search);
  // The present time is read only once, so that a preset such as the last 7 days keeps its days.
  const [nowMs] = useState(() => Date.now());
  const filter = filterOf(search, nowMs);
  const list = useQuery(requestsQuery(filter, search.after));
  const histogram = useQuery(histogramQuery(filter));
  const navigate = route.useNavigate();
  const open = useCallback(
    (id: string) => void navigate({ search: (now) => ({ ...now, id }), resetScroll: false }),
    [navigate],
  );
  const chooseBar = useCallback(
    (from: string, to: string) =>
      void navigate({
        search: (now) => ({ ...now, range: undefined, after: undefined, from, to }),
        resetScroll: false,
      }),
    [navigate],
  );
  const choose = ({ range, from, to }: RangeSearch): void => narrow({ range, from, to });
  return (
    <Page title={title('requests')}>
      <RangePicker range={search} nowMs={nowMs} onChange={choose} />
      <RequestFilters search={search} onCommit={(name, value) => narrow({ [name]: value })} />
      {list.error === null ? (
        <Stack gap="md">
          <RequestHistogram histogram={histogram.data} onChoose={chooseBar} />
          <Card padding="xs">
            <RequestTable requests={list.data?.data} empty={NOTHING_FOUND} onOpen={open} />
          </Card>
          <Pager
            search={search}
            next={list.data?.next ?? null}
            isLoading={list.isPlaceholderData}
          />
        </Stack>
      ) : (
        <ApiProblem error={list.error} onRetry={() => void list.refetch()} />
      )}
      <RequestSheet id={search.id} onClose={() => show({ id: undefined })} />
    </Page>
  );
}

type Change = Readonly<Record<string, unknown>>;

/**
 * Returns two functions that change the URL. `show` changes only the view; `narrow` changes the
 * filters and returns to the first page.
 */
function useSearchChange(search: RequestSearch) {
  const navigate = route.useNavigate();
  const show = (change: Change): void =>
    void navigate({ search: { ...search, ...change }, resetScroll: false });
  return { show, narrow: (change: Change) => show({ ...change, after: undefined }) };
}

type PagerProps = {
  readonly search: RequestSearch;
  readonly next: string | null;
  readonly isLoading: boolean;
};

/** The buttons between pages. Each page starts after the last row of the page before. */
function Pager({ search, next, isLoading }: PagerProps) {
  const t = useTexts(requestTexts);
  const { show } = useSearchChange(search);
  const [trail, setTrail] = useState<readonly string[]>([]);
  const { after = '' } = search;
  if (after === '' && next === null) return null;
  const older = (): void => {
    setTrail([...trail, after]);
    show({ after: next });
  };
  const newer = (): void => {
    setTrail(trail.slice(0, -1));
    show({ after: trail.at(-1) });
  };
  return (
    <Group justify="flex-end" gap="sm">
      <Button
        variant="default"
        disabled={after === ''}
        leftSection={<IconChevronLeft size={16} aria-hidden />}
        onClick={newer}
      >
        {after !== '' && trail.length === 0 ? t('first') : t('previous')}
      </Button>
      <Button
        variant="default"
        disabled={next === null}
        loading={isLoading}
        rightSection={<IconChevronRight size={16} aria-hidden />}
        onClick={older}
      >
        {t('next')}
      </Button>
    </Group>
  );
}

function NothingFound() {
  const t = useTexts(requestTexts);
  const words = useTexts(reportTexts);
  const navigate = route.useNavigate();
  return (
    <Empty
      icon={IconListDetails}
      title={t('empty')}
      action={
        <Button variant="default" onClick={() => void navigate({ search: { range: '90d' } })}>
          {words('clear')}
        </Button>
      }
    >
      {t('emptyHint')}
    </Empty>
  );
}

const NOTHING_FOUND = <NothingFound />;
