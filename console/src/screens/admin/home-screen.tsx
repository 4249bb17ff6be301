/** The operator's home: the business of all accounts over some days, and what needs attention. */
import { Group, SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useModelSlots } from '#catalogue/model-colors.ts';
import { ALL_COLOR, colorOf } from '#charts/palette.ts';
import { type Share, TopList } from '#charts/top-list.tsx';
import { ApiProblem } from '#components/api-problem.tsx';
import { TextLink } from '#components/button-link.tsx';
import { Page } from '#components/page.tsx';
import { dayRange, presetOf, type RangeSearch } from '#components/range/range.ts';
import { RangePicker } from '#components/range/range-picker.tsx';
import { CardSkeleton, SectionCard } from '#components/section-card.tsx';
import { useTexts } from '#i18n/texts.ts';
import { parseAmount } from '#money/amount.ts';
import { navigationTexts } from '#shell/navigation.ts';
import { Attention } from './home/attention.tsx';
import { Figures } from './home/figures.tsx';
import { HomeCharts } from './home/home-charts.tsx';
import { homeTexts } from './home/home-texts.ts';
import { type Summary, summaryQuery } from './home/summary.ts';

const route = getRouteApi('/app/admin/home');

export function HomeScreen() {
  const title = useTexts(navigationTexts);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  // The current time is read only once, so that a preset such as the last 7 days keeps its days.
  const [nowMs] = useState(() => Date.now());
  const range = dayRange(search, nowMs);
  const { data, error, refetch, isPlaceholderData } = useQuery(summaryQuery(range));
  const choose = ({ range: preset, from, to }: RangeSearch): void =>
    void navigate({ search: { range: preset, from, to }, resetScroll: false });
  return (
    <Page title={title('home')}>
      <Group>
        <RangePicker
          range={presetOf(search) === null ? range : search}
          timeZone="UTC"
          nowMs={nowMs}
          onChange={choose}
        />
      </Group>
      {error === null ? null : <ApiProblem error={error} onRetry={() => void refetch()} />}
      {data !== undefined ? (
        <Stack
          gap="md"
          aria-busy={isPlaceholderData}
          style={{ opacity: isPlaceholderData ? 0.6 : 1 }}
        >
          <Figures summary={data} />
          <HomeCharts summary={data} />
          <SimpleGrid cols={{ base: 1, md: 3 }} spacing="md">
            <Attention summary={data} />
            <Tops summary={data} />
          </SimpleGrid>
        </Stack>
      ) : error === null ? (
        <Placeholder />
      ) : null}
    </Page>
  );
}

const EXPECTED = 5;

/** The accounts and models with the highest charges, each as a link to its page. */
function Tops({ summary: { accounts, models } }: { readonly summary: Summary }) {
  const t = useTexts(homeTexts);
  const slots = useModelSlots();
  const names = useMemo(
    () => new Map((accounts ?? []).map(({ id, name }) => [id, name])),
    [accounts],
  );
  const link = { c: 'inherit', inherit: true, truncate: true } as const;
  return (
    <>
      <SectionCard title={t('topAccounts')} size="h5">
        <TopList
          shares={sharesOf(accounts ?? [])}
          expected={EXPECTED}
          empty={t(accounts === null ? 'tooMany' : 'none')}
          colorOf={() => ALL_COLOR}
          nameOf={(id) => (
            <TextLink {...link} to="/admin/accounts/$id" params={{ id }}>
              {names.get(id) ?? id}
            </TextLink>
          )}
        />
      </SectionCard>
      <SectionCard title={t('topModels')} size="h5">
        <TopList
          shares={sharesOf(models)}
          expected={EXPECTED}
          empty={t('none')}
          colorOf={(model) => colorOf(slots, model)}
          nameOf={(id) => (
            <TextLink {...link} to="/models/$id" params={{ id }}>
              {id}
            </TextLink>
          )}
        />
      </SectionCard>
    </>
  );
}

type Ranked = { readonly id: string; readonly charge_usd: string };

const sharesOf = (ranked: readonly Ranked[]): readonly Share[] =>
  ranked.map(({ id, charge_usd: amount }) => ({ group: id, amount: parseAmount(amount) }));

/** A placeholder as high as the content, so that the layout does not jump. */
function Placeholder() {
  return (
    <Stack gap="md" aria-busy>
      <CardSkeleton height={112} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <CardSkeleton height={280} />
        <CardSkeleton height={280} />
      </SimpleGrid>
      <CardSkeleton height={220} />
    </Stack>
  );
}
