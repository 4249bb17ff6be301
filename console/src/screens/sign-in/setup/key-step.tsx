/** The step that creates the first key and tests it with a request. */

import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { newIdempotencyKey } from '#api/client.ts';
import { ButtonLink } from '#components/button-link.tsx';
import { FormProblem } from '#components/forms/form-problem.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { EMPTY_KEY_FORM, keyBodyOf } from '#keys/key-form.ts';
import { createKey } from '#keys/key-queries.ts';
import { SecretShown } from '#keys/secret-dialog.tsx';
import { CardPage } from '#screens/sign-in/card-page.tsx';
import { FirstRequest } from './first-request.tsx';

const texts = defineTexts('setup-key', {
  en: {
    title: 'Your first key',
    lead: 'Apps call the gateway with a key. The key in the log of the first start belongs to the same account and works too.',
    name: 'First key',
    make: 'Create key',
    later: 'Skip for now',
    done: 'Open console',
  },
  zh: {
    title: '您的第一个密钥',
    lead: '程序使用密钥调用网关。首次启动日志中的密钥属于同一账户，同样可用。',
    name: '第一个密钥',
    make: '创建密钥',
    later: '以后再说',
    done: '进入控制台',
  },
});

export function KeyStep() {
  const t = useTexts(texts);
  // The step has one idempotency key, so that pressing twice creates one key.
  const [idempotencyKey] = useState(newIdempotencyKey);
  const making = useMutation({
    mutationFn: () => createKey(keyBodyOf({ ...EMPTY_KEY_FORM, name: t('name') }), idempotencyKey),
  });
  const key = making.data;
  return (
    <CardPage title={t('title')} lead={t('lead')} width={760}>
      <Stack>
        {key === undefined ? (
          <>
            <FormProblem error={making.error} />
            <Group>
              <Button data-autofocus loading={making.isPending} onClick={() => making.mutate()}>
                {t('make')}
              </Button>
              <ButtonLink variant="subtle" to="/">
                {t('later')}
              </ButtonLink>
            </Group>
          </>
        ) : (
          <>
            <SecretShown
              secret={key.secret}
              models={null}
              note={<FirstRequest secret={key.secret} />}
            />
            <Group justify="flex-end">
              <ButtonLink variant="default" to="/">
                {t('done')}
              </ButtonLink>
            </Group>
          </>
        )}
      </Stack>
    </CardPage>
  );
}
