/** The price lists: their factor, the models that they sell, and the number of accounts on each. */
import { Button, Card, Group, Text } from '@mantine/core';
import { IconListDetails, IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem } from '#components/api-problem.tsx';
import { Empty } from '#components/empty.tsx';
import { actionColumn, RowAction, textColumn } from '#components/tables/columns.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useTexts } from '#i18n/texts.ts';
import { ChangeDialog } from '../settings/change-dialog.tsx';
import { PriceListDialog, proposalOf } from './price-list-dialogs.tsx';
import { type PriceList, priceListsQuery } from './price-list-queries.ts';
import { priceListTexts } from './price-lists-texts.ts';

export function PriceListsTab() {
  const t = useTexts(priceListTexts);
  const { data, error, refetch } = useQuery(priceListsQuery);
  const [edited, edit] = useState<PriceList | 'new' | null>(null);
  const revision = data?.revision ?? null;
  const removing = useMutation({
    mutationFn: ({ name }: PriceList) => proposalOf(revision ?? 0, name, null),
  });
  const isEditable = revision !== null;
  const add = isEditable ? (
    <Button size="xs" leftSection={<IconPlus size={16} />} onClick={() => edit('new')}>
      {t('add')}
    </Button>
  ) : (
    <Text variant="note">{data === undefined ? null : t('inFile')}</Text>
  );
  return (
    <Card>
      {error === null ? null : <ApiProblem error={error} onRetry={() => void refetch()} />}
      {removing.error === null ? null : <ApiProblem error={removing.error} />}
      <DataTable
        name="admin-price-lists"
        label={t('table')}
        columns={useColumns(isEditable ? { edit, remove: removing.mutate } : null)}
        rows={data?.data}
        keyOf={({ name }) => name}
        summary={add}
        empty={
          <Empty icon={IconListDetails} title={t('empty')} action={add}>
            {t('emptyHint')}
          </Empty>
        }
      />
      <PriceListDialog
        of={edited}
        revision={revision ?? 0}
        taken={data?.data.map(({ name }) => name) ?? []}
        onClose={() => edit(null)}
      />
      <ChangeDialog
        proposal={removing.data ?? null}
        title={t('removeTitle', { name: removing.variables?.name ?? '' })}
        submit={t('remove')}
        onClose={removing.reset}
      />
    </Card>
  );
}

type Actions = Readonly<Record<'edit' | 'remove', (list: PriceList) => void>>;

function useColumns(actions: Actions | null): readonly Column<PriceList>[] {
  const t = useTexts(priceListTexts);
  const modelsOf = ({ only, hidden }: PriceList): string =>
    only?.join(', ') ??
    (hidden.length === 0 ? t('all') : t('hidden', { count: String(hidden.length) }));
  return [
    textColumn('name', t('name'), ({ name }) => name),
    textColumn('factor', t('factor'), ({ factor }) => `× ${factor}`, { end: true }),
    textColumn('models', t('models'), modelsOf),
    textColumn('priced', t('priced'), ({ priced }) =>
      priced.length === 0 ? null : priced.join(', '),
    ),
    textColumn('accounts', t('accounts'), ({ accounts }) => accounts, { end: true }),
    ...(actions === null
      ? []
      : [
          actionColumn<PriceList>(t('actions'), (list) => (
            <Group gap={4} justify="flex-end" wrap="nowrap">
              <RowAction label={t('edit')} of={list.name} onClick={() => actions.edit(list)} />
              <RowAction label={t('remove')} of={list.name} onClick={() => actions.remove(list)} />
            </Group>
          )),
        ]),
  ];
}
