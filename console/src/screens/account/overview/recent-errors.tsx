/** Recent errors, linked to their requests. */

import { Text } from '@mantine/core';
import { TextLink } from '#components/button-link.tsx';
import { Copyable } from '#components/copyable.tsx';
import { OutcomeBadge } from '#components/outcome-badge.tsx';
import { SectionCard } from '#components/section-card.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import type { Overview } from '#screens/account/account-queries.ts';
import { useRequestColumns } from '#screens/account/request-columns.tsx';
import { overviewTexts } from './overview-texts.ts';

type FailedRequest = Overview['recent_errors'][number];

const texts = defineTexts('recent-errors', {
  en: { channel: 'Channel', what: 'Outcome', request: 'Request' },
  zh: { channel: '渠道', what: '结果', request: '请求' },
});

export function RecentErrors({ overview }: { readonly overview: Overview }) {
  const t = useTexts(overviewTexts);
  const columns = useColumns();
  const { recent_errors: errors } = overview;
  return (
    <SectionCard
      title={t('errors')}
      aside={
        errors.length === 0 ? null : (
          <TextLink size="sm" to="/requests" search={{ status: 'failed' }}>
            {t('allErrors')}
          </TextLink>
        )
      }
    >
      <DataTable
        label={t('errors')}
        columns={columns}
        rows={errors}
        keyOf={({ id }) => id}
        minWidth={640}
        empty={<Text c="dimmed">{t('noErrors')}</Text>}
      />
    </SectionCard>
  );
}

function useColumns(): readonly Column<FailedRequest>[] {
  const t = useTexts(texts);
  const begin = useRequestColumns();
  return [
    ...begin,
    { name: 'channel', heading: t('channel'), cell: ({ channel }) => channel },
    {
      name: 'what',
      heading: t('what'),
      cell: ({ error_code: code, outcome }) => <OutcomeBadge outcome={outcome} code={code} />,
    },
    { name: 'request', heading: t('request'), cell: ({ id }) => <Copyable value={id} /> },
  ];
}
