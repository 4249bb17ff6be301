/** The nodes, and the revision that each runs. */
import { useQuery } from '@tanstack/react-query';
import { SectionCard } from '#components/section-card.tsx';
import { statusColumn, textColumn } from '#components/tables/columns.tsx';
import { DataTable } from '#components/tables/data-table.tsx';
import { useTexts } from '#i18n/texts.ts';
import { type ConfigNode, nodesQuery } from './history-queries.ts';
import { historyTexts } from './history-texts.ts';

export function NodesCard() {
  const t = useTexts(historyTexts);
  const query = useQuery(nodesQuery);
  const newest = query.data?.newest_revision ?? 0;
  const nodes = query.data?.data;
  const hasFailures = nodes?.some(({ failure }) => failure !== null) ?? false;
  return (
    <SectionCard title={t('nodes')} size="h5" query={query}>
      <DataTable<ConfigNode>
        label={t('nodes')}
        rows={nodes}
        expected={1}
        keyOf={({ node }) => node}
        columns={[
          textColumn('node', t('node'), ({ node }) => node),
          textColumn('revision', t('revision'), ({ revision }) => revision, { end: true }),
          statusColumn('state', t('state'), ({ revision, failure }) => {
            if (failure !== null) return ['bad', t('behind')];
            return revision === newest ? ['good', t('current')] : ['attention', t('behind')];
          }),
          ...(hasFailures
            ? [textColumn<ConfigNode>('failure', t('failure'), (it) => it.failure)]
            : []),
        ]}
      />
    </SectionCard>
  );
}
