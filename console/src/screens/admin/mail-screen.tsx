/** Email: the current mail server, a test email, and the delivery log. */
import { Alert, Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, api } from '#api/client.ts';
import { given } from '#api/given.ts';
import type { components } from '#api/schema.gen.ts';
import { useSignedIn } from '#api/session.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { TextLink } from '#components/button-link.tsx';
import { useApiForm } from '#components/forms/api-form.ts';
import { FormProblem } from '#components/forms/form-problem.tsx';
import { Moment } from '#components/moment.tsx';
import { Page } from '#components/page.tsx';
import { SectionCard } from '#components/section-card.tsx';
import { Status } from '#components/status.tsx';
import type { Column } from '#components/tables/column.ts';
import {
  actionColumn,
  RowAction,
  statusColumn,
  textColumn,
  timeColumn,
} from '#components/tables/columns.tsx';
import { FilterBar, FilterChoice } from '#components/tables/filter-fields.tsx';
import { ListCard } from '#components/tables/list-card.tsx';
import { PAGING } from '#components/tables/paged-table.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useLanguage, useTexts } from '#i18n/texts.ts';
import { navigationTexts } from '#shell/navigation.ts';
import { mailTexts } from './mail/mail-texts.ts';

type Mail = components['schemas']['Mail'];
type MailState = Mail['state'];

const route = getRouteApi('/app/admin/mail');
const PAGE_ROWS = 50;
const STATES = ['queued', 'sent', 'failed'] as const;
const TONES = { queued: 'attention', sent: 'good', failed: 'bad' } as const;

const statusQuery = queryOptions({
  queryKey: ['admin', 'mail', 'status'],
  queryFn: () => answerOf(api.GET('/admin/v1/mail/status')),
});

const logQuery = (state: MailState | undefined) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'mail', 'log', state],
    queryFn: ({ pageParam, signal }) => {
      const query = given({ state, limit: PAGE_ROWS, after: pageParam });
      return answerOf(api.GET('/admin/v1/mail', { params: { query }, signal }));
    },
    ...PAGING,
  });

export function MailScreen() {
  const title = useTexts(navigationTexts);
  return (
    <Page title={title('mail')}>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <ServerCard />
        <TestCard />
      </SimpleGrid>
      <DeliveryLog />
    </Page>
  );
}

function ServerCard() {
  const t = useTexts(mailTexts);
  const { count } = useFormats();
  const query = useQuery(statusQuery);
  const { data } = query;
  const state =
    data === undefined ? null : (
      <Status tone={data.on ? 'good' : 'quiet'}>{t(data.on ? 'on' : 'off')}</Status>
    );
  const facts: readonly (readonly [string, string])[] =
    data === undefined
      ? []
      : [
          ...(data.on
            ? ([
                [t('server'), `${data.host}:${data.port}`],
                [t('from'), data.from ?? ''],
              ] as const)
            : []),
          [t('queuedNow'), count(data.queued)],
          [t('sentToday'), count(data.sent)],
          [t('failedToday'), count(data.failed)],
        ];
  return (
    <SectionCard title={t('delivery')} aside={state} query={query}>
      {data?.on === false ? (
        <Text variant="note">
          {t('offHint')}{' '}
          <TextLink inherit underline="always" to="/admin/settings">
            {t('openSettings')}
          </TextLink>
        </Text>
      ) : null}
      {facts.map(([name, value]) => (
        <Group key={name} justify="space-between" gap="sm" fz="sm">
          <Text variant="note">{name}</Text>
          <Text inherit style={{ overflowWrap: 'anywhere' }}>
            {value}
          </Text>
        </Group>
      ))}
      {data?.oldest_queued_at ? (
        <Alert color="yellow">
          {t('oldest')} <Moment at={data.oldest_queued_at} />
        </Alert>
      ) : null}
    </SectionCard>
  );
}

function TestCard() {
  const t = useTexts(mailTexts);
  const { email } = useSignedIn();
  const [language] = useLanguage();
  const queries = useQueryClient();
  const [result, setResult] = useState<Mail | null>(null);
  const isOn = useQuery(statusQuery).data?.on === true;
  const { form, onSubmit, isRunning, problem } = useApiForm({
    initialValues: { to: email },
    validate: ({ to }) => ({ to: to.trim() === '' ? t('missing') : null }),
    send: ({ to }) =>
      answerOf(
        api.POST('/admin/v1/mail/test', {
          body: { to, language: language.startsWith('zh') ? 'zh' : 'en' },
        }),
      ),
    onSent: async (mail) => {
      setResult(mail);
      await queries.invalidateQueries({ queryKey: ['admin', 'mail'] });
    },
  });
  return (
    <SectionCard title={t('test')} lead={t('testLead')}>
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          <FormProblem error={problem} />
          {result === null ? null : <Outcome of={result} />}
          <TextInput
            maxLength={254}
            type="email"
            label={t('to')}
            disabled={!isOn}
            {...form.getInputProps('to')}
          />
          <Group justify="flex-end">
            <Button type="submit" variant="default" loading={isRunning} disabled={!isOn}>
              {t('send')}
            </Button>
          </Group>
        </Stack>
      </form>
    </SectionCard>
  );
}

function Outcome({ of: { state, to, answer } }: { readonly of: Mail }) {
  const t = useTexts(mailTexts);
  return (
    <Alert color={state === 'sent' ? 'green' : 'red'} role="status">
      {t(state === 'sent' ? 'testSent' : 'testFailed', { to })} {answer}
    </Alert>
  );
}

function DeliveryLog() {
  const t = useTexts(mailTexts);
  const queries = useQueryClient();
  const resend = useMutation({
    mutationFn: (id: string) =>
      answerOf(api.POST('/admin/v1/mail/{id}/resend', { params: { path: { id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['admin', 'mail'] }),
  });
  const { state } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Stack>
      <FilterBar>
        <FilterChoice
          label={t('state')}
          value={state ?? ''}
          any={t('any')}
          choices={STATES.map((value) => ({ value, label: t(value) }))}
          onCommit={(value) =>
            void navigate({ search: value === '' ? {} : { state: value as MailState } })
          }
        />
      </FilterBar>
      {resend.error === null ? null : <ApiProblem error={resend.error} />}
      {resend.data === undefined ? null : <Outcome of={resend.data} />}
      <ListCard
        label={t('log')}
        name="admin-mail"
        pages={useInfiniteQuery(logQuery(state))}
        keyOf={({ id }) => id}
        expected={8}
        columns={useColumns(resend.mutate, resend.isPending ? resend.variables : null)}
        empty={
          state === undefined
            ? { icon: IconMail, title: t('empty'), hint: t('emptyHint') }
            : { icon: IconMail, title: t('emptyFiltered') }
        }
      />
    </Stack>
  );
}

/**
 * Returns the columns of the delivery log.
 * @param sending the id of the email that is being sent again; null for none.
 */
function useColumns(resend: (id: string) => void, sending: string | null): readonly Column<Mail>[] {
  const t = useTexts(mailTexts);
  return [
    timeColumn('at', t('when'), ({ created_at: at }) => at),
    textColumn('kind', t('kind'), ({ kind }) => t(isKind(kind) ? kind : 'other')),
    textColumn('to', t('to'), ({ to }) => to),
    statusColumn('state', t('state'), ({ state }) => [TONES[state], t(state)]),
    textColumn('attempts', t('attempts'), ({ attempts }) => attempts, { end: true }),
    textColumn('answer', t('answer'), ({ answer }) => (answer === '' ? null : answer)),
    actionColumn(t('actions'), ({ id, to, resendable }) =>
      resendable ? (
        <RowAction
          label={t('resend')}
          of={to}
          isRunning={sending === id}
          onClick={() => resend(id)}
        />
      ) : null,
    ),
  ];
}

const KINDS = ['invitation', 'password_reset', 'sign_up', 'receipt', 'alert', 'test'] as const;
const isKind = (kind: string): kind is (typeof KINDS)[number] =>
  KINDS.some((each) => each === kind);
