/** The form that redeems a code and adds its amount to the balance. */
import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { ApiError } from '#api/api-error.ts';
import { newIdempotencyKey } from '#api/client.ts';
import { useApiForm } from '#components/forms/api-form.ts';
import { FormProblem } from '#components/forms/form-problem.tsx';
import { SectionCard } from '#components/section-card.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { formatExactGrouped, parseAmount, withCurrency } from '#money/amount.ts';
import { redeemCode, useMoneyCameIn } from './billing-queries.ts';

const texts = defineTexts('redeem', {
  en: {
    title: 'Redeem code',
    lead: 'The amount is added immediately to the wallet in the same currency.',
    code: 'Code',
    submit: 'Redeem',
    missing: 'Enter the code.',
    done: '{{amount}} added. {{available}} available now.',
    again: 'Your account has already redeemed this code, and {{amount}} was added to its balance.',
    malformed:
      'This is not a valid redeem code. A code looks like MG-XXXXX-XXXXX-XXXXX-XXXXX-XXXXX. Copy the whole code.',
    unknown:
      'This code does not exist on this gateway. Check with the person who gave you the code.',
    redeemed:
      'Another account has already redeemed this code. Ask the person who gave you the code for a new one.',
    expired: 'This code has expired. Ask the person who gave you the code for a new one.',
    cancelled: 'This code was voided. Ask the person who gave you the code for a new one.',
  },
  zh: {
    title: '兑换码充值',
    lead: '兑换后金额即时计入对应币种的钱包。',
    code: '兑换码',
    submit: '兑换',
    missing: '请输入兑换码。',
    done: '已充值 {{amount}}，当前可用 {{available}}。',
    again: '您的账户已兑换过此兑换码，{{amount}} 已计入余额。',
    malformed: '这不是有效的兑换码。格式为 MG-XXXXX-XXXXX-XXXXX-XXXXX-XXXXX，请完整复制后重试。',
    unknown: '本网关没有这个兑换码，请向发放者核实。',
    redeemed: '此兑换码已被其他账户使用，请联系发放者获取新的兑换码。',
    expired: '此兑换码已过期，请联系发放者获取新的兑换码。',
    cancelled: '此兑换码已作废，请联系发放者获取新的兑换码。',
  },
});

type Redeemed = Awaited<ReturnType<typeof redeemCode>>;

export function RedeemForm() {
  const t = useTexts(texts);
  const moneyCameIn = useMoneyCameIn();
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey);
  const [redeemed, setRedeemed] = useState<Redeemed | null>(null);
  const refusal = useRefusal();
  const { form, onSubmit, isRunning, problem } = useApiForm<{ code: string }, Redeemed>({
    initialValues: { code: '' },
    validate: ({ code }) => ({ code: code.trim() === '' ? t('missing') : null }),
    send: async ({ code }) => {
      setRedeemed(null);
      try {
        return await redeemCode(code.trim(), idempotencyKey);
      } catch (thrown) {
        // After a refusal, the form needs a new idempotency key, because the old one would return
        // the same refusal. Without a response, it keeps the idempotency key, because the code may
        // have been redeemed.
        if (thrown instanceof ApiError && thrown.status > 0) setIdempotencyKey(newIdempotencyKey());
        throw thrown;
      }
    },
    refusal,
    onSent: async (answer) => {
      setRedeemed(answer);
      setIdempotencyKey(newIdempotencyKey());
      form.reset();
      await moneyCameIn();
    },
  });
  return (
    <SectionCard title={t('title')} lead={t('lead')}>
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          <Group align="flex-start" gap="sm">
            <TextInput
              flex="1 1 160px"
              aria-label={t('code')}
              placeholder="MG-XXXXX-XXXXX-…"
              autoComplete="off"
              spellCheck={false}
              {...form.getInputProps('code')}
            />
            <Button type="submit" loading={isRunning}>
              {t('submit')}
            </Button>
          </Group>
          <FormProblem error={problem} />
        </Stack>
        <div role="status">{redeemed === null ? null : <Redeemed redeemed={redeemed} />}</div>
      </form>
    </SectionCard>
  );
}

function Redeemed({ redeemed }: { readonly redeemed: Redeemed }) {
  const t = useTexts(texts);
  const { amount, available, currency, already_applied: isOld } = redeemed;
  const shown = (value: string): string =>
    withCurrency(formatExactGrouped(parseAmount(value)), currency);
  return (
    <Alert mt="md" color={isOld ? 'yellow' : 'green'} icon={<IconCheck />}>
      {t(isOld ? 'again' : 'done', { amount: shown(amount), available: shown(available) })}
    </Alert>
  );
}

/** Returns a function that explains in the person's language why a code was refused. */
function useRefusal(): (error: Error) => string | null {
  const t = useTexts(texts);
  return (error) => {
    if (!(error instanceof ApiError) || error.param !== 'code') return null;
    if (error.code === 'invalid_value') return t('malformed');
    if (error.code === 'not_found') return t('unknown');
    const { reason } = error.extra;
    if (reason === 'redeemed' || reason === 'expired' || reason === 'cancelled') return t(reason);
    return null;
  };
}
