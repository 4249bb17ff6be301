/** Compares up to four models: capabilities and prices on every channel. */
import {
  ActionIcon,
  Card,
  Group,
  MultiSelect,
  Skeleton,
  Stack,
  Table,
  Text,
  Tooltip,
} from '@mantine/core';
import { IconScale, IconX } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ChannelState } from '#catalogue/channel-state.tsx';
import {
  ExampleBadge,
  KindBadge,
  ListedPrice,
  Modalities,
  TokenCount,
  useChannelName,
} from '#catalogue/model-facts.tsx';
import { modelTexts } from '#catalogue/model-texts.ts';
import type { Channel, Model } from '#catalogue/models.ts';
import { CHANNELS } from '#catalogue/models.ts';
import { SHOWN_PRICES } from '#catalogue/price.ts';
import { Copyable } from '#components/copyable.tsx';
import { Empty } from '#components/empty.tsx';
import { Page } from '#components/page.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { CatalogGate } from './models/catalogue-gate.tsx';
import { FirstByte, Success } from './models/channel-prices.tsx';
import { ModelLink } from './models/model-card.tsx';
import { comparedIds, MAX_COMPARED } from './models/model-search.ts';

const texts = defineTexts('compare-screen', {
  en: {
    title: 'Compare models',
    models: 'Models to compare',
    choose: 'Select up to {{max}}',
    none: 'No models selected',
    noneHint: 'Select two or more models above.',
    property: 'Property',
    remove: 'Remove {{name}}',
    notOffered: 'Not offered',
  },
  zh: {
    title: '模型对比',
    models: '要对比的模型',
    choose: '最多选择 {{max}} 个',
    none: '还没有选择模型',
    noneHint: '请在上方选择两个或更多模型。',
    property: '属性',
    remove: '移除 {{name}}',
    notOffered: '未提供',
  },
});

const route = getRouteApi('/open/models/compare');
const COLUMN_PX = 220;

export function CompareScreen() {
  const t = useTexts(texts);
  return (
    <Page title={t('title')}>
      <CatalogGate placeholder={<Skeleton height={420} />}>
        {(models) => <Comparison models={models} />}
      </CatalogGate>
    </Page>
  );
}

function Comparison({ models }: { readonly models: readonly Model[] }) {
  const t = useTexts(texts);
  const navigate = route.useNavigate();
  const ids = comparedIds(route.useSearch().ids);
  const chosen = ids.flatMap((id) => models.find((model) => model.id === id) ?? []);
  const choose = (next: readonly string[]): void =>
    void navigate({ search: { ids: next.join(',') }, replace: true, resetScroll: false });
  return (
    <Stack gap="md">
      <MultiSelect
        label={t('models')}
        placeholder={chosen.length === 0 ? t('choose', { max: MAX_COMPARED }) : ''}
        data={models.map(({ id, name }) => ({ value: id, label: name }))}
        value={chosen.map(({ id }) => id)}
        maxValues={MAX_COMPARED}
        searchable
        hidePickedOptions
        onChange={choose}
      />
      {chosen.length === 0 ? (
        <Empty icon={IconScale} title={t('none')}>
          {t('noneHint')}
        </Empty>
      ) : (
        <Card padding={0}>
          <ComparisonTable
            models={chosen}
            onRemove={(id) => choose(ids.filter((each) => each !== id))}
          />
        </Card>
      )}
    </Stack>
  );
}

type ComparisonTableProps = {
  readonly models: readonly Model[];
  readonly onRemove: (id: string) => void;
};

function ComparisonTable({ models, onRemove }: ComparisonTableProps) {
  const t = useTexts(texts);
  const rows = useRows();
  return (
    <Table.ScrollContainer
      minWidth={140 + models.length * COLUMN_PX}
      type="native"
      tabIndex={0}
      role="region"
      aria-label={t('title')}
    >
      <Table aria-label={t('title')} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col" w={140}>
              {t('property')}
            </Table.Th>
            {models.map((model) => (
              <Table.Th key={model.id} scope="col">
                <Group justify="space-between" wrap="nowrap" align="flex-start">
                  <Stack gap={2}>
                    <ModelLink model={model} />
                    <Copyable value={model.id} />
                  </Stack>
                  <Remove name={model.name} onClick={() => onRemove(model.id)} />
                </Group>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ name, heading, cell }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{heading}</Table.Th>
              {models.map((model) => (
                <Table.Td key={model.id}>{cell(model)}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Remove({ name, onClick }: { readonly name: string; readonly onClick: () => void }) {
  const t = useTexts(texts);
  return (
    <Tooltip label={t('remove', { name })}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('remove', { name })}
        onClick={onClick}
      >
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

type Row = {
  readonly name: string;
  readonly heading: string;
  readonly cell: (model: Model) => ReactNode;
};

function useRows(): readonly Row[] {
  const t = useTexts(modelTexts);
  const channelName = useChannelName();
  return [
    { name: 'kind', heading: t('kind'), cell: ({ kind }) => <KindBadge kind={kind} /> },
    { name: 'maker', heading: t('maker'), cell: ({ maker }) => maker },
    {
      name: 'context',
      heading: t('context'),
      cell: (model) => <TokenCount count={model.context_length} />,
    },
    {
      name: 'output',
      heading: t('maxOutput'),
      cell: (model) => <TokenCount count={model.max_output_tokens} />,
    },
    {
      name: 'takes',
      heading: t('takes'),
      cell: (model) => <Modalities names={model.input_modalities} />,
    },
    {
      name: 'released',
      heading: t('released'),
      cell: (model) => model.release_date ?? t('unknown'),
    },
    { name: 'settlement', heading: t('settlement'), cell: ({ settlement }) => settlement },
    ...CHANNELS.map((name) => ({
      name,
      heading: channelName(name),
      cell: ({ kind, channels }: Model) => (
        <ChannelCell kind={kind} channel={channels.find(({ channel }) => channel === name)} />
      ),
    })),
  ];
}

type ChannelProps = { readonly kind: Model['kind']; readonly channel: Channel | undefined };

function ChannelCell({ kind, channel }: ChannelProps) {
  const t = useTexts(modelTexts);
  const words = useTexts(texts);
  if (channel === undefined) {
    return (
      <Text size="sm" c="dimmed">
        {words('notOffered')}
      </Text>
    );
  }
  const { price, health, example } = channel;
  const prices: readonly (readonly [string, string | null])[] =
    price.per_image === null
      ? SHOWN_PRICES[kind].map((key) => [t(key), price[key]])
      : Object.entries(price.per_image).map(([size, each]) => [size.replace('x', '×'), each]);
  return (
    <Stack gap={4} fz="sm">
      {prices.map(([name, listed]) => (
        <Group key={name} justify="space-between" gap="xs">
          <Text span inherit c="dimmed">
            {name}
          </Text>
          <ListedPrice of={listed} />
        </Group>
      ))}
      <Group justify="space-between" gap="xs">
        <ChannelState health={health} />
        {health === null ? null : (
          <span>
            <FirstByte health={health} /> · <Success health={health} />
          </span>
        )}
      </Group>
      {example ? <ExampleBadge /> : null}
    </Stack>
  );
}
