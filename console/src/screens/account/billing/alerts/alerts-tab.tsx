/** The tab for alerts: thresholds, email, the webhook, and the recent alerts. */
import {
  Alert,
  Button,
  Group,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Switch,
  Text,
} from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { answerOf, api, ifMatch } from '#api/client.ts';
import type { components } from '#api/schema.gen.ts';
import { mayAs, useSignedIn } from '#api/session.ts';
import { walletsQuery } from '#api/wallets.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { Empty } from '#components/empty.tsx';
import { AlertThresholds } from '#components/forms/alert-thresholds.tsx';
import { SectionCard } from '#components/section-card.tsx';
import type { Column } from '#components/tables/column.ts';
import { textColumn, timeColumn } from '#components/tables/columns.tsx';
import { DataTable } from '#components/tables/data-table.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { formatExactGrouped, parseAmount, withCurrency } from '#money/amount.ts';
import { CURRENCIES } from '#money/currencies.ts';
import { alertTexts } from './alert-texts.ts';
import { WebhookCard } from './webhook-card.tsx';

type AccountAlert = components['schemas']['AccountAlert'];
type Preference = components['schemas']['MailPreference'];

const readThresholds = () => answerOf(api.GET('/console/api/alerts'));
const thresholdsQuery = queryOptions({ queryKey: ['alerts'], queryFn: () => readThresholds() });
const logQuery = queryOptions({
  queryKey: ['alerts', 'log'],
  queryFn: () => answerOf(api.GET('/console/api/alerts/log')),
});
const preferenceQuery = queryOptions({
  queryKey: ['profile', 'mail'],
  queryFn: () => answerOf(api.GET('/console/api/profile/mail')),
});

export function AlertsTab() {
  const queryClient = useQueryClient();
  const isOwner = mayAs(useSignedIn().role, 'owner');
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <AlertThresholds
          thresholds={useQuery(thresholdsQuery)}
          mayChange={isOwner}
          read={readThresholds}
          save={(body, { etag }) =>
            answerOf(api.PUT('/console/api/alerts', { params: { header: ifMatch(etag) }, body }))
          }
          onSaved={async (saved) => {
            queryClient.setQueryData(thresholdsQuery.queryKey, saved);
            await queryClient.invalidateQueries(walletsQuery);
          }}
        />
        <MailCard />
      </SimpleGrid>
      {isOwner ? <WebhookCard /> : null}
      <AlertLog />
    </Stack>
  );
}

/** Shows which emails this person gets, and offers owners a test email. */
function MailCard() {
  const t = useTexts(alertTexts);
  const { role, email } = useSignedIn();
  const isOwner = mayAs(role, 'owner');
  const queryClient = useQueryClient();
  const query = useQuery(preferenceQuery);
  const { data: preference } = query;
  const change = useMutation({
    mutationFn: ({ language, alerts }: Preference) =>
      answerOf(api.PUT('/console/api/profile/mail', { body: { language, alerts } })),
    onSuccess: (saved) => queryClient.setQueryData(preferenceQuery.queryKey, saved),
  });
  const test = useMutation({ mutationFn: () => answerOf(api.POST('/console/api/alerts/test')) });
  const problem = change.error ?? test.error;
  const lead = t(isOwner ? 'mailLead' : 'memberLead');
  return (
    <SectionCard title={t('mail')} lead={preference?.on === false ? t('off') : lead} query={query}>
      {preference?.on !== true ? null : (
        <Stack>
          <Switch
            label={t('mailMe', { email })}
            checked={preference.alerts}
            disabled={change.isPending}
            onChange={({ currentTarget }) =>
              change.mutate({ ...preference, alerts: currentTarget.checked })
            }
          />
          <Group gap="sm">
            <Text size="sm">{t('language')}</Text>
            <SegmentedControl
              aria-label={t('language')}
              data={[
                { value: 'en', label: 'English' },
                { value: 'zh', label: '中文' },
              ]}
              value={preference.language}
              disabled={change.isPending}
              onChange={(value) =>
                change.mutate({ ...preference, language: value === 'zh' ? 'zh' : 'en' })
              }
            />
          </Group>
          {problem === null ? null : <ApiProblem error={problem} />}
          {test.data === undefined ? null : (
            <Alert color={test.data.state === 'sent' ? 'green' : 'red'} role="status">
              {t(test.data.state === 'sent' ? 'testSent' : 'testFailed', { to: test.data.to })}
            </Alert>
          )}
          {isOwner ? (
            <Group justify="flex-end">
              <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
                {t('test')}
              </Button>
            </Group>
          ) : null}
        </Stack>
      )}
    </SectionCard>
  );
}

function AlertLog() {
  const t = useTexts(alertTexts);
  const query = useQuery(logQuery);
  return (
    <SectionCard title={t('log')} lead={t('logLead')} query={query}>
      <DataTable
        label={t('log')}
        name="alerts"
        rows={query.data?.data}
        keyOf={({ id }) => id}
        columns={useColumns()}
        empty={
          <Empty icon={IconBell} title={t('empty')}>
            {t('emptyHint')}
          </Empty>
        }
      />
    </SectionCard>
  );
}

function useColumns(): readonly Column<AccountAlert>[] {
  const t = useTexts(alertTexts);
  return [
    timeColumn('at', t('when'), ({ created_at: at }) => at),
    textColumn('type', t('type'), ({ type }) => t(isType(type) ? type : 'other'), {
      phone: 'state',
    }),
    textColumn('about', t('about'), useAbout()),
    textColumn('letters', t('letters'), ({ letters }) =>
      letters.length === 0 ? null : letters.map(({ to }) => to).join(', '),
    ),
  ];
}

/** Returns a function that describes an alert in one line. */
function useAbout(): (alert: AccountAlert) => string {
  const t = useTexts(alertTexts);
  const { time } = useFormats();
  const money = (amount: string | null, of: string): string => {
    const currency = CURRENCIES.find((each) => each === of);
    return amount === null || currency === undefined
      ? ''
      : withCurrency(formatExactGrouped(parseAmount(amount)), currency);
  };
  return ({ type, key_name: key, currency, available, threshold, percent, window, ...rest }) => {
    const owner = rest.member_name ?? t(rest.member_id === null ? 'account' : 'former');
    switch (type) {
      case 'balance.low':
        return t('lowText', {
          available: money(available, currency ?? ''),
          threshold: money(threshold, currency ?? ''),
        });
      case 'budget.reached':
        return t('budgetText', {
          whose: key ?? owner,
          percent: percent ?? '',
          cap: money(rest.cap, 'USD'),
          window: t(isWindow(window) ? window : 'total'),
        });
      default:
        return t('expiringText', {
          key: key ?? '',
          time: rest.expires_at === null ? '' : time(rest.expires_at),
        });
    }
  };
}

const TYPES = ['balance.low', 'budget.reached', 'key.expiring'] as const;
const isType = (type: string): type is (typeof TYPES)[number] =>
  TYPES.some((each) => each === type);
const WINDOWS = ['day', 'week', 'month', 'total'] as const;
const isWindow = (window: string | null): window is (typeof WINDOWS)[number] =>
  WINDOWS.some((each) => each === window);
