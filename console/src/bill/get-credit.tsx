/** Offers ways to add credit, depending on the person's role. */
import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import { mayAs, useSignedIn } from '#api/session.ts';
import { ButtonLink } from '#components/button-link.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';

const texts = defineTexts('get-credit', {
  en: {
    topUp: 'Top up',
    redeem: 'Redeem a code',
    add: 'Add credit',
    askOwner: 'Ask an owner of this account to top it up.',
    askAdministrator: 'No code? Ask the administrator of this gateway for credit.',
  },
  zh: {
    topUp: '充值',
    redeem: '使用兑换码',
    add: '增加余额',
    askOwner: '请联系账户所有者充值。',
    askAdministrator: '没有兑换码？请联系网关管理员充值。',
  },
});

/** The query that asks whether this gateway accepts card payments. */
const cardsQuery = {
  queryKey: ['accepts-cards'],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
    (await answerOf(api.GET('/console/api/top-ups', { params: { query: { limit: 1 } }, signal })))
      .card_limits !== null,
  staleTime: Number.POSITIVE_INFINITY,
};

export function GetCredit() {
  const t = useTexts(texts);
  const { role, account } = useSignedIn();
  const mayTopUp = mayAs(role, 'owner');
  const { data: hasCards = false } = useQuery({ ...cardsQuery, enabled: mayTopUp });
  if (!mayTopUp) return <Text size="sm">{t('askOwner')}</Text>;
  const isAdministrator = role === 'administrator';
  return (
    <Group gap="xs">
      {isAdministrator ? (
        <ButtonLink size="xs" to="/admin/accounts/$id" params={{ id: account.id }}>
          {t('add')}
        </ButtonLink>
      ) : null}
      <ButtonLink size="xs" variant={isAdministrator ? 'default' : 'filled'} to="/billing">
        {t(hasCards ? 'topUp' : 'redeem')}
      </ButtonLink>
      {hasCards || isAdministrator ? null : <Text size="sm">{t('askAdministrator')}</Text>}
    </Group>
  );
}
