/**
 * The last step of the guided form that connects a provider: the effects of the change, and a
 * button that saves all of it.
 */
import { Alert, Checkbox, List, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiProblem } from '#components/api-problem.tsx';
import { FormProblem } from '#components/forms/form-problem.tsx';
import { textColumn } from '#components/tables/columns.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useTexts } from '#i18n/texts.ts';
import { type Finding, useFindingText } from '#screens/admin/settings/finding-text.ts';
import {
  type ConfigChange,
  type ProviderChange,
  type Review,
  reviewOf,
  saveProvider,
} from './provider-queries.ts';
import { providerTexts } from './provider-texts.ts';
import { StepFooter } from './step-footer.tsx';

export type ReviewStepProps = ProviderChange & {
  readonly onBack: () => void;
  readonly onSaved: (saved: ConfigChange) => void;
};

export function ReviewStep({ fields, sold, isNew, onBack, onSaved }: ReviewStepProps) {
  // The query key must not contain the API key, because query keys stay in the cache.
  const { api_key: _, ...shown } = fields;
  const review = useQuery({
    queryKey: ['admin', 'provider-review', shown, sold],
    queryFn: () => reviewOf({ fields, sold, isNew }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const { data, error } = review;
  if (error !== null) return <ApiProblem error={error} onRetry={() => void review.refetch()} />;
  if (data === undefined) return <Skeleton height={240} />;
  return (
    <Reviewed
      key={data.planned.revision}
      {...{ review: data, fields, isNew, onBack, onSaved }}
      onRefused={() => void review.refetch()}
    />
  );
}

type ReviewedProps = Pick<ReviewStepProps, 'fields' | 'isNew' | 'onBack' | 'onSaved'> & {
  readonly review: Review;
  readonly onRefused: () => void;
};

function Reviewed({ review, fields, isNew, onBack, onSaved, onRefused }: ReviewedProps) {
  const t = useTexts(providerTexts);
  const cache = useQueryClient();
  const { changes, errors, warnings } = review.planned;
  const [confirmed, setConfirmed] = useState<readonly string[]>([]);
  const needed = [
    ...new Set(warnings.filter((each) => each.needs_confirmation).map(({ code }) => code)),
  ];
  const saving = useMutation({
    mutationFn: () =>
      saveProvider(review, {
        key: fields.api_key,
        note: t(isNew ? 'note' : 'noteModels', { name: fields.name }),
        confirmed,
      }),
    onSuccess: async (saved) => {
      onSaved(saved);
      await cache.invalidateQueries();
    },
    // If somebody else has changed the configuration, the review is repeated.
    onError: onRefused,
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!saving.isPending) saving.mutate();
  };
  const isReady = errors.length === 0 && needed.every((code) => confirmed.includes(code));
  return (
    <form onSubmit={submit}>
      <Stack>
        <Problems title={t('errors')} color="red" lines={errors} />
        <Problems title={t('warnings')} color="yellow" lines={warnings} />
        {needed.map((code) => (
          <Checkbox
            key={code}
            label={needed.length > 1 ? `${t('confirm')} (${code})` : t('confirm')}
            checked={confirmed.includes(code)}
            onChange={(event) =>
              setConfirmed(
                event.currentTarget.checked
                  ? [...confirmed, code]
                  : confirmed.filter((each) => each !== code),
              )
            }
          />
        ))}
        <DataTable
          label={t('changes')}
          columns={useColumns()}
          rows={changes}
          keyOf={({ path }) => path}
        />
        <FormProblem error={saving.error} />
        <StepFooter
          next={t('save')}
          onBack={onBack}
          isRunning={saving.isPending}
          isDisabled={!isReady}
        />
      </Stack>
    </form>
  );
}

type Difference = ConfigChange['changes'][number];

function useColumns(): readonly Column<Difference>[] {
  const t = useTexts(providerTexts);
  const value = (text: string | null) =>
    text === null ? '–' : <span style={{ overflowWrap: 'anywhere' }}>{text}</span>;
  return [
    textColumn('path', t('setting'), ({ path }) => path),
    { name: 'before', heading: t('before'), cell: ({ before }) => value(before) },
    { name: 'after', heading: t('after'), cell: ({ after }) => value(after) },
  ];
}

type ProblemsProps = {
  readonly title: string;
  readonly color: 'red' | 'yellow';
  readonly lines: readonly Finding[];
};

function Problems({ title, color, lines }: ProblemsProps) {
  const findingText = useFindingText();
  if (lines.length === 0) return null;
  return (
    <Alert color={color} variant="light" icon={<IconAlertTriangle />} title={title} role="alert">
      <List size="sm">
        {lines.map((line) => (
          <List.Item key={`${line.path}: ${line.message}`}>
            <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
              {findingText(line)}
            </Text>
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
