/** The frame of the page of an upstream or model, and a note if its fields cannot be edited. */
import { Alert, Group } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiProblem } from '#components/api-problem.tsx';
import { TextLink } from '#components/button-link.tsx';
import { Page } from '#components/page.tsx';
import { CardSkeleton } from '#components/section-card.tsx';
import { useTexts } from '#i18n/texts.ts';
import { recordFieldsQuery, type SettingField } from '#screens/admin/settings/config-queries.ts';
import { recordTexts } from './record-texts.ts';

export type OpenedRecord = {
  readonly fields: readonly SettingField[];
  /** The newest revision; null if the settings are in the file and cannot be edited here. */
  readonly revision: number | null;
};

export type RecordPageProps = {
  readonly section: 'upstreams' | 'models';
  readonly id: string;
  readonly tab: 'upstreams' | 'prices';
  readonly title: string;
  readonly actions?: (opened: OpenedRecord) => ReactNode;
  readonly children: (opened: OpenedRecord) => ReactNode;
};

export function RecordPage({ section, id, tab, title, actions, children }: RecordPageProps) {
  const t = useTexts(recordTexts);
  const { data, error, refetch } = useQuery(recordFieldsQuery(section, id));
  const opened = data === undefined ? null : { fields: data.data, revision: data.revision };
  const back = (
    <TextLink size="sm" c="dimmed" to="/admin/routes" search={{ tab }}>
      <Group gap={4} component="span">
        <IconArrowLeft size={14} />
        {t('back')}
      </Group>
    </TextLink>
  );
  return (
    <Page
      title={title}
      parent={back}
      {...(opened === null || actions === undefined ? {} : { actions: actions(opened) })}
    >
      {error === null ? null : <ApiProblem error={error} onRetry={() => void refetch()} />}
      {opened === null && error === null ? <CardSkeleton height={320} /> : null}
      {data?.mode === 'file' ? (
        <Alert variant="light">{t('inFile', { file: data.file })}</Alert>
      ) : null}
      {opened === null ? null : children(opened)}
    </Page>
  );
}

/** Returns the value of a field by its path within the upstream or model. */
export const fieldValue = (
  fields: readonly SettingField[],
  path: string,
): SettingField['value'] => {
  const field = fields.find(({ keys }) => keys.slice(2).join('.') === path);
  return field?.value ?? field?.default ?? null;
};
