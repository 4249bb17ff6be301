/** The webhook of the account's alerts, for owners: URL, secret, test and delivery log. */
import { Alert, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconRefresh, IconTrash, IconWebhook } from '@tabler/icons-react';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api, newIdempotencyKey } from '#api/client.ts';
import type { components } from '#api/schema.gen.ts';
import { ActionsMenu } from '#components/actions-menu.tsx';
import { ApiProblem } from '#components/api-problem.tsx';
import { Empty } from '#components/empty.tsx';
import { useApiForm } from '#components/forms/api-form.ts';
import { FormBody } from '#components/forms/form-footer.tsx';
import { TypeToConfirm } from '#components/forms/type-to-confirm.tsx';
import { SectionCard } from '#components/section-card.tsx';
import { ShownOnce } from '#components/shown-once.tsx';
import type { Column } from '#components/tables/column.ts';
import { statusColumn, textColumn, timeColumn } from '#components/tables/columns.tsx';
import { DataTable } from '#components/tables/data-table.tsx';
import { useFormats } from '#i18n/formats.ts';
import { hasText, useTexts } from '#i18n/texts.ts';
import { alertTexts } from './alert-texts.ts';
import { webhookTexts } from './webhook-texts.ts';

type Delivery = components['schemas']['WebhookDelivery'];

const webhookQuery = queryOptions({
  queryKey: ['alerts', 'webhook'],
  queryFn: () => answerOf(api.GET('/console/api/alerts/webhook')),
});
const deliveriesQuery = queryOptions({
  queryKey: ['alerts', 'webhook', 'deliveries'],
  queryFn: () => answerOf(api.GET('/console/api/alerts/webhook/deliveries')),
});

/**
 * The API's values for how long alerts are also signed with the previous secret after a rotation.
 */
const OVERLAPS = { now: '0s', hour: '1h', day: '24h' } as const;
type Overlap = keyof typeof OVERLAPS;
const rotate = (overlap: Overlap, idempotencyKey: string) =>
  answerOf(
    api.POST('/console/api/alerts/webhook/secret', {
      headers: { 'Idempotency-Key': idempotencyKey },
      body: { overlap: OVERLAPS[overlap] },
    }),
  );
const NAMES = Object.keys(OVERLAPS).filter((name): name is Overlap => name in OVERLAPS);

export function WebhookCard() {
  const t = useTexts(webhookTexts);
  const { time } = useFormats();
  const queries = useQueryClient();
  const query = useQuery(webhookQuery);
  const [secret, setSecret] = useState('');
  const [asked, ask] = useState<'rotate' | 'remove' | null>(null);
  const [overlap, setOverlap] = useState<Overlap>('day');
  const [rotationKey, setRotationKey] = useState('');
  const url = query.data?.url ?? null;
  const earlierUntil = query.data?.earlier_secret_until ?? null;
  const changed = () => queries.invalidateQueries({ queryKey: webhookQuery.queryKey });
  const menu = (
    <ActionsMenu
      label={t('actions')}
      actions={[
        {
          label: t('rotate'),
          icon: IconRefresh,
          act: () => {
            setRotationKey(newIdempotencyKey());
            ask('rotate');
          },
        },
        { label: t('remove'), icon: IconTrash, isGrave: true, act: () => ask('remove') },
      ]}
    />
  );
  return (
    <SectionCard
      title={t('title')}
      lead={t('lead')}
      aside={url === null ? null : menu}
      query={query}
    >
      {query.data?.on === false ? <Text variant="note">{t('off')}</Text> : null}
      {query.data?.on === true ? (
        <UrlForm
          key={url}
          url={url ?? ''}
          onSaved={async (shown) => {
            setSecret(shown ?? '');
            await changed();
          }}
        />
      ) : null}
      {earlierUntil === null ? null : (
        <Text variant="note">{t('earlier', { time: time(earlierUntil) })}</Text>
      )}
      {url === null ? null : <Deliveries mayTest={query.data?.on === true} />}
      <ShownOnce
        opened={secret !== ''}
        title={t('secret')}
        secret={secret}
        file={{ name: 'webhook-secret.txt', type: 'text/plain', content: `${secret}\n` }}
        onSaved={() => setSecret('')}
      >
        {t('secretText')}
      </ShownOnce>
      <TypeToConfirm
        opened={asked !== null}
        onClose={() => ask(null)}
        title={t(asked ?? 'remove')}
        phrase={url === null ? '' : new URL(url).host}
        confirm={t(asked ?? 'remove')}
        act={async () => {
          if (asked === 'remove') await answerOf(api.DELETE('/console/api/alerts/webhook'));
          else setSecret((await rotate(overlap, rotationKey)).secret ?? '');
        }}
        onDone={changed}
      >
        {asked === 'rotate' ? (
          <Stack>
            <Text size="sm">{t('rotateText')}</Text>
            <Select
              label={t('overlap')}
              data={NAMES.map((name) => ({ value: name, label: t(name) }))}
              value={overlap}
              allowDeselect={false}
              onChange={(value) => setOverlap(NAMES.find((name) => name === value) ?? 'day')}
            />
          </Stack>
        ) : (
          t('removeText')
        )}
      </TypeToConfirm>
    </SectionCard>
  );
}

type UrlFormProps = {
  readonly url: string;
  /** Called with the secret of a new webhook, or with null if an existing webhook was changed. */
  readonly onSaved: (secret: string | null) => Promise<void>;
};

function UrlForm({ url: saved, onSaved }: UrlFormProps) {
  const t = useTexts(webhookTexts);
  const [rotationKey] = useState(newIdempotencyKey);
  const { form, ...sending } = useApiForm({
    initialValues: { url: saved },
    validate: ({ url }) => ({ url: url.trim() === '' ? t('missing') : null }),
    send: async (body) => {
      const set = await answerOf(api.PUT('/console/api/alerts/webhook', { body }));
      // A new webhook without a secret was made by an earlier attempt whose answer was lost. Nobody
      // has seen its secret, so it gets another one.
      return saved === '' && set.secret === null ? await rotate('day', rotationKey) : set;
    },
    onSent: ({ secret }) => onSaved(secret),
  });
  return (
    <FormBody of={sending} submit={t('save')}>
      <TextInput
        maxLength={2000}
        maw={720}
        type="url"
        label={t('url')}
        placeholder="https://example.com/alerts"
        {...form.getInputProps('url')}
      />
    </FormBody>
  );
}

function Deliveries({ mayTest }: { readonly mayTest: boolean }) {
  const t = useTexts(webhookTexts);
  const queries = useQueryClient();
  const query = useQuery(deliveriesQuery);
  const outcome = useOutcome();
  const test = useMutation({
    mutationFn: () => answerOf(api.POST('/console/api/alerts/webhook/test')),
    onSuccess: () => queries.invalidateQueries({ queryKey: deliveriesQuery.queryKey }),
  });
  return (
    <Stack>
      <Group justify="space-between">
        <Text fw={500}>{t('log')}</Text>
        {mayTest ? (
          <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
            {t('test')}
          </Button>
        ) : null}
      </Group>
      {test.error === null ? null : <ApiProblem error={test.error} />}
      {test.data === undefined ? null : (
        <Alert color={test.data.state === 'delivered' ? 'green' : 'red'} role="status">
          {outcome(test.data)}
        </Alert>
      )}
      {query.error === null ? null : <ApiProblem error={query.error} />}
      <DataTable
        label={t('log')}
        name="webhook-deliveries"
        rows={query.data?.data}
        keyOf={({ id }) => id}
        columns={useColumns()}
        empty={
          <Empty icon={IconWebhook} title={t('empty')}>
            {t('emptyHint')}
          </Empty>
        }
      />
    </Stack>
  );
}

/** Returns a function that describes the result of a delivery's last attempt. */
function useOutcome(): (delivery: Delivery) => string | null {
  const t = useTexts(webhookTexts);
  return ({ outcome, outcome_detail: detail, answer }) =>
    outcome === null ? answer || null : t(outcome, { detail });
}

const TONES = { pending: 'attention', delivered: 'good', given_up: 'bad' } as const;

function useColumns(): readonly Column<Delivery>[] {
  const t = useTexts(webhookTexts);
  const alert = useTexts(alertTexts);
  return [
    timeColumn('at', t('when'), ({ created_at: at }) => at),
    textColumn('type', t('type'), ({ type }) =>
      hasText(alertTexts, type) ? alert(type) : t('isTest'),
    ),
    statusColumn('state', t('state'), ({ state }) => [TONES[state], t(state)]),
    textColumn('attempts', t('attempts'), ({ attempts }) => attempts, { end: true }),
    textColumn('answer', t('answer'), useOutcome()),
  ];
}
