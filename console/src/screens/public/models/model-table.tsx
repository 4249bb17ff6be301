/** The model list as a table, for exact comparison. */
import { Text } from '@mantine/core';
import { KindBadge, Modalities, TokenCount } from '#catalogue/model-facts.tsx';
import { modelTexts } from '#catalogue/model-texts.ts';
import type { Model } from '#catalogue/models.ts';
import { Copyable } from '#components/copyable.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useTexts } from '#i18n/texts.ts';
import { navigationTexts } from '#shell/navigation.ts';
import { ChannelDots, type Choice, CompareBox, LowestPrice, ModelLink } from './model-card.tsx';

export type ModelTableProps = { readonly models: readonly Model[]; readonly choice: Choice };

export function ModelTable({ models, choice }: ModelTableProps) {
  const t = useTexts(modelTexts);
  const title = useTexts(navigationTexts);
  const columns: readonly Column<Model>[] = [
    {
      name: 'name',
      heading: title('models'),
      cell: (model) => (
        <>
          <ModelLink model={model} />
          <Text size="xs" c="dimmed">
            <Copyable value={model.id} />
          </Text>
        </>
      ),
    },
    { name: 'kind', heading: t('kind'), cell: ({ kind }) => <KindBadge kind={kind} /> },
    { name: 'maker', heading: t('maker'), cell: ({ maker }) => maker },
    {
      name: 'takes',
      heading: t('takes'),
      cell: (model) => <Modalities names={model.input_modalities} />,
    },
    {
      name: 'context',
      heading: t('context'),
      end: true,
      cell: (model) => <TokenCount count={model.context_length} />,
    },
    {
      name: 'output',
      heading: t('maxOutput'),
      end: true,
      cell: (model) => <TokenCount count={model.max_output_tokens} />,
    },
    { name: 'price', heading: t('from'), cell: (model) => <LowestPrice model={model} /> },
    {
      name: 'channels',
      heading: t('channel'),
      cell: ({ channels }) => <ChannelDots channels={channels} />,
    },
    {
      name: 'compare',
      heading: t('compare'),
      cell: (model) => <CompareBox model={model} choice={choice} />,
    },
  ];
  return (
    <DataTable
      label={title('models')}
      columns={columns}
      rows={models}
      keyOf={({ id }) => id}
      minWidth={1080}
    />
  );
}
