/**
 * The limits of an account: the same limits as those of a key, applied to all keys of the account
 * together.
 */
import { Card, Checkbox, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { answerOf, api } from '#api/client.ts';
import type { components } from '#api/schema.gen.ts';
import { useApiForm } from '#components/forms/api-form.ts';
import { FormFooter } from '#components/forms/form-footer.tsx';
import { useUnsaved } from '#components/forms/unsaved.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { KeyFields } from '#keys/key-fields.tsx';
import { type KeyForm, keyBodyOf, keyFormOf, keyFormProblems, localDay } from '#keys/key-form.ts';
import { keyFormTexts } from '#keys/key-form-texts.ts';
import { type Account, useAccountsChanged } from './account-queries.ts';
import { accountsTexts } from './accounts-texts.ts';

const texts = defineTexts('admin-account-limits', {
  en: {
    lead: 'The limits apply to all keys of the account together, in addition to the limits of each key.',
    allowExchange: 'Pay for CNY requests from the USD wallet when the CNY wallet runs short',
    save: 'Save',
    saved: 'Limits of {{name}} saved',
  },
  zh: {
    lead: '这些限额对账户的所有密钥合并生效，各密钥自身的限额同时适用。',
    allowExchange: 'CNY 钱包余额不足时，用 USD 钱包支付 CNY 请求',
    save: '保存',
    saved: '{{name}} 的限额已保存',
  },
});

type Changed = components['schemas']['Account'];

export function AccountLimits({ account }: { readonly account: Account }) {
  const t = useTexts(texts);
  const tForm = useTexts(keyFormTexts);
  const tAccounts = useTexts(accountsTexts);
  const changed = useAccountsChanged();
  const [before, setBefore] = useState(() => keyFormOf(account));
  const [allowExchange, setAllowExchange] = useState(account.allow_exchange);
  useUnsaved(allowExchange !== account.allow_exchange);
  const { form, onSubmit, isRunning, problem } = useApiForm<KeyForm, Changed>({
    initialValues: before,
    validate: (values) => {
      const problems = keyFormProblems(values, before, localDay(new Date()));
      return Object.fromEntries(
        Object.entries(problems).map(([path, code]) => [path, tForm(code)]),
      );
    },
    send: (values) =>
      answerOf(
        api.PATCH('/admin/v1/accounts/{id}', {
          params: { path: { id: account.id } },
          body: { ...keyBodyOf(values, before), allow_exchange: allowExchange },
        }),
      ),
    onSent: async ({ name }, values) => {
      setBefore(values);
      await changed();
      notifications.show({ color: 'green', message: t('saved', { name }) });
    },
  });
  return (
    <Card maw={760}>
      <form onSubmit={onSubmit} noValidate>
        <Stack gap="lg">
          <Text size="sm" c="dimmed">
            {t('lead')}
          </Text>
          <KeyFields form={form} spend={account.spend} nameHint={tAccounts('nameHint')} />
          <Checkbox
            label={t('allowExchange')}
            checked={allowExchange}
            onChange={(event) => setAllowExchange(event.currentTarget.checked)}
          />
          <FormFooter submit={t('save')} isRunning={isRunning} problem={problem} />
        </Stack>
      </form>
    </Card>
  );
}
