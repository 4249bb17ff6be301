/** The providers' answers to failed attempts of a request. Only administrators see them. */
import { Code, Group, Stack, Text, Title } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import type { components } from '#api/schema.gen.ts';
import { mayAs, useSignedIn } from '#api/session.ts';
import { Moment } from '#components/moment.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';

const texts = defineTexts('provider-errors', {
  en: {
    title: 'Provider responses',
    only: 'Only administrators see this.',
    attempt: 'Attempt {{n}}',
    brokeOff: 'Interrupted',
  },
  zh: {
    title: '供应商的返回内容',
    only: '仅管理员可见。',
    attempt: '第 {{n}} 次尝试',
    brokeOff: '中途断开',
  },
});

type ProviderError = components['schemas']['ProviderError'];

/** Returns the query for a request of any account, with its attempts at upstreams. */
export const adminRequestQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'request', id],
    queryFn: async ({ signal }) => {
      const asked = { params: { path: { id } }, signal };
      return (await answerOf(api.GET('/admin/v1/requests/{id}', asked))).data;
    },
  });

/** The providers' answers to a request's failed attempts. Renders nothing for other roles. */
export function ProviderErrorsOf({ id }: { readonly id: string }) {
  const { role } = useSignedIn();
  const { data } = useQuery({ ...adminRequestQuery(id), enabled: mayAs(role, 'administrator') });
  return <ProviderErrors errors={data?.provider_errors ?? []} />;
}

export function ProviderErrors({ errors }: { readonly errors: readonly ProviderError[] }) {
  const t = useTexts(texts);
  if (errors.length === 0) return null;
  return (
    <Stack gap="xs" component="section" aria-label={t('title')}>
      <Group gap="xs" align="baseline">
        <Title order={3} size="h5">
          {t('title')}
        </Title>
        <Text variant="note">{t('only')}</Text>
      </Group>
      {errors.map(({ attempt, at, upstream, model, code, answer }) => (
        <Stack key={attempt} gap={4}>
          <Text variant="note" component="div">
            {[
              attempt === 0 ? t('brokeOff') : t('attempt', { n: attempt }),
              ...(upstream === null ? [] : [`${upstream}/${model}`]),
              code,
            ].join(' · ')}{' '}
            · <Moment at={at} />
          </Text>
          <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {answer}
          </Code>
        </Stack>
      ))}
    </Stack>
  );
}
