/** The catalog: search, filter and compare models. */
import { Button, Card, Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { IconMoodEmpty, IconX } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { modelTexts } from '#catalogue/model-texts.ts';
import type { Model } from '#catalogue/models.ts';
import { ButtonLink } from '#components/button-link.tsx';
import { Empty } from '#components/empty.tsx';
import { Page } from '#components/page.tsx';
import { usePrinting } from '#components/tables/printing.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { navigationTexts } from '#shell/navigation.ts';
import { CatalogGate } from './models/catalogue-gate.tsx';
import { type Choice, ModelCard } from './models/model-card.tsx';
import { ModelFilters } from './models/model-filters.tsx';
import { foundModels, MAX_COMPARED } from './models/model-search.ts';
import { ModelTable } from './models/model-table.tsx';
import classes from './models/models.module.css';

const texts = defineTexts('models-screen', {
  en: {
    none: 'No matching models',
    noneHint: 'Try removing a filter.',
    clear: 'Clear filters',
    chosen_one: '{{count}} model selected',
    chosen_other: '{{count}} models selected',
    clearChoice: 'Clear selection',
  },
  zh: {
    none: '没有符合条件的模型',
    noneHint: '请尝试去掉部分筛选条件。',
    clear: '清除筛选',
    chosen_one: '已选 {{count}} 个模型',
    chosen_other: '已选 {{count}} 个模型',
    clearChoice: '清除选择',
  },
});

const route = getRouteApi('/open/models');
const PLACEHOLDERS = ['a', 'b', 'c', 'd', 'e', 'f'] as const;

export function ModelsScreen() {
  const title = useTexts(navigationTexts);
  return (
    <Page title={title('models')}>
      <CatalogGate placeholder={<Placeholder />}>
        {(models) => <Models models={models} />}
      </CatalogGate>
    </Page>
  );
}

function Models({ models }: { readonly models: readonly Model[] }) {
  const search = route.useSearch();
  const choice = useChoice();
  const found = foundModels(models, search);
  return (
    <Stack gap="md">
      <ModelFilters models={models} count={found.length} />
      {found.length === 0 ? <NothingFound /> : null}
      {search.view === 'table' && found.length > 0 ? (
        <Card>
          <ModelTable models={found} choice={choice} />
        </Card>
      ) : (
        <Cards models={found} choice={choice} />
      )}
      <CompareBar choice={choice} />
    </Stack>
  );
}

/** The number of cards that are rendered at first, and of those that are added at the end. */
const STEP = 24;
/** The distance from the visible part at which cards are added, in pixels. */
const AHEAD = '1000px';
/** The number of cards that the list had when it was left. Going back finds its place again. */
let lastShown = STEP;

/** The models as cards. Rendering hundreds takes seconds, so most wait until they are near. */
function Cards({ models, choice }: { readonly models: readonly Model[]; readonly choice: Choice }) {
  const [shown, setShown] = useState(lastShown);
  const isPrinting = usePrinting();
  const end = useRef<HTMLDivElement>(null);
  const isWhole = shown >= models.length;
  useEffect(() => {
    lastShown = shown;
    if (isWhole || end.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setShown(shown + STEP),
      { rootMargin: AHEAD },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [shown, isWhole]);
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }}>
        {models.slice(0, isPrinting ? models.length : shown).map((model) => (
          <ModelCard key={model.id} model={model} choice={choice} />
        ))}
      </SimpleGrid>
      <div ref={end} />
    </>
  );
}

function useChoice(): Choice & { readonly onClear: () => void } {
  const [ids, setIds] = useState<readonly string[]>([]);
  return {
    ids,
    isFull: ids.length >= MAX_COMPARED,
    onToggle: (id) =>
      setIds((chosen) =>
        chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id],
      ),
    onClear: () => setIds([]),
  };
}

function CompareBar({
  choice: { ids, onClear },
}: {
  readonly choice: ReturnType<typeof useChoice>;
}) {
  const t = useTexts(texts);
  const words = useTexts(modelTexts);
  if (ids.length === 0) return null;
  return (
    <Card padding="sm" className={classes['bar'] ?? ''}>
      <Group justify="space-between">
        <Text size="sm" role="status">
          {t('chosen', { count: ids.length })}
        </Text>
        <Group gap="xs">
          <Button
            variant="default"
            size="sm"
            leftSection={<IconX size={16} aria-hidden />}
            onClick={onClear}
          >
            {t('clearChoice')}
          </Button>
          <ButtonLink size="sm" to="/models/compare" search={{ ids: ids.join(',') }}>
            {words('compare')}
          </ButtonLink>
        </Group>
      </Group>
    </Card>
  );
}

function NothingFound() {
  const t = useTexts(texts);
  const navigate = route.useNavigate();
  return (
    <Empty
      icon={IconMoodEmpty}
      title={t('none')}
      action={
        <Button variant="default" onClick={() => void navigate({ search: {} })}>
          {t('clear')}
        </Button>
      }
    >
      {t('noneHint')}
    </Empty>
  );
}

function Placeholder() {
  return (
    <Stack gap="md" aria-busy>
      <Skeleton height={60} />
      <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }}>
        {PLACEHOLDERS.map((name) => (
          <Skeleton key={name} height={196} />
        ))}
      </SimpleGrid>
    </Stack>
  );
}
