/** The model list as a table, for exact comparison. */
import { Group, Text } from '@mantine/core';
import { ChannelState } from '#catalogue/channel-state.tsx';
import { ListedPrice, TokenCount } from '#catalogue/model-facts.tsx';
import { modelTexts } from '#catalogue/model-texts.ts';
import type { Model } from '#catalogue/models.ts';
import { answerPrice, headlinePrice } from '#catalogue/price.ts';
import { NOTHING } from '#components/tables/column.ts';
import { textColumn } from '#components/tables/columns.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useTexts } from '#i18n/texts.ts';
import { formatExact } from '#money/amount.ts';
import { navigationTexts } from '#shell/navigation.ts';
import { Speed, Uptime } from './channel-figures.tsx';
import { type Choice, CompareBox, defaultChannel, ModelLink, stateOf } from './model-card.tsx';
import { ModelFace } from './model-face.tsx';

export type ModelTableProps = { readonly models: readonly Model[]; readonly choice: Choice };

export function ModelTable({ models, choice }: ModelTableProps) {
  const title = useTexts(navigationTexts);
  const columns = useColumns(choice);
  return (
    <DataTable
      name="models"
      label={title('models')}
      columns={columns}
      rows={models}
      keyOf={({ id }) => id}
      // The table shows no summary of its own, because the page already states the number of
      // models.
      summary=""
    />
  );
}

const priceOf = (model: Model): string | null => {
  const channel = defaultChannel(model);
  return channel === undefined ? null : formatExact(headlinePrice(channel));
};
const outputOf = (model: Model): string | null => {
  const { price } = defaultChannel(model) ?? {};
  return price === undefined ? null : answerPrice(model.kind, price);
};

/** Returns the columns. Prices, speed and uptime are those of each model's default channel. */
function useColumns(choice: Choice): readonly Column<Model>[] {
  const t = useTexts(modelTexts);
  const title = useTexts(navigationTexts);
  return [
    {
      name: 'name',
      heading: title('models'),
      cell: (model) => (
        <Group gap="xs" wrap="nowrap">
          <ModelFace model={model} />
          <div>
            <ModelLink model={model} />
            <Text variant="caption">{model.id}</Text>
          </div>
        </Group>
      ),
      value: ({ name }) => name,
    },
    textColumn('kind', t('kind'), ({ kind }) => t(kind), { show: 'fits' }),
    textColumn('maker', t('maker'), ({ maker }) => maker, {
      show: 'fits',
      phone: 'hidden',
    }),
    {
      name: 'context',
      heading: t('context'),
      end: true,
      cell: (model) => <TokenCount count={model.context_length} />,
      value: (model) => model.context_length,
    },
    {
      name: 'price',
      heading: t('input'),
      unit: t('default'),
      end: true,
      cell: (model) => <ListedPrice of={priceOf(model)} />,
      value: priceOf,
      phone: 'amount',
    },
    {
      name: 'output',
      heading: t('output'),
      unit: t('default'),
      end: true,
      cell: (model) => <ListedPrice of={outputOf(model)} />,
      value: outputOf,
    },
    {
      name: 'speed',
      show: 'fits',
      heading: t('speed'),
      end: true,
      cell: (model) => {
        const { health } = defaultChannel(model) ?? {};
        return health?.tokens_per_second == null ? NOTHING : <Speed health={health} />;
      },
      value: (model) => defaultChannel(model)?.health.tokens_per_second ?? null,
    },
    {
      name: 'uptime',
      heading: t('uptime'),
      end: true,
      cell: (model) => <Uptime ratio={defaultChannel(model)?.health.uptime_90d ?? null} />,
      value: (model) => defaultChannel(model)?.health.uptime_90d ?? null,
    },
    {
      name: 'state',
      heading: t('state'),
      cell: (model) => <ChannelState state={stateOf(model)} />,
      phone: 'state',
    },
    {
      name: 'compare',
      heading: t('compare'),
      cell: (model) => <CompareBox model={model} choice={choice} />,
      phone: 'action',
    },
  ];
}
