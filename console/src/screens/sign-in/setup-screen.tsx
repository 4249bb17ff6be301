/**
 * The setup of a new gateway in three steps: create the first administrator, set up the models, and
 * create and test an API key. The setup link is in the gateway's log. Later steps require the
 * session that the first step starts.
 */
import { Button, Container, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Navigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { newIdempotencyKey } from '#api/client.ts';
import { useModels } from '#catalogue/models.ts';
import { TestRequest } from '#chat/test-request.tsx';
import { ButtonLink } from '#components/button-link.tsx';
import { FormProblem } from '#components/forms/form-problem.tsx';
import { StepList } from '#components/forms/step-list.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { EMPTY_KEY_FORM, keyBodyOf } from '#keys/key-form.ts';
import { createKey } from '#keys/key-queries.ts';
import { SecretShown } from '#keys/secret-dialog.tsx';
import { plainRoute } from '#shell/parents.tsx';
import { TotpDemand } from '#shell/totp-demand.tsx';
import { simpleChat } from '#snippets/request.ts';
import { CardPage } from './card-page.tsx';
import { AdministratorStep } from './setup/administrator-step.tsx';
import { ModelsStep } from './setup/models-step.tsx';

const texts = defineTexts('setup', {
  en: {
    label: 'Setup steps',
    administrator: 'Administrator',
    models: 'Models',
    key: 'First key',
  },
  zh: {
    label: '设置步骤',
    administrator: '管理员',
    models: '模型',
    key: '第一个密钥',
  },
});
const WIDTH_PX = { administrator: 480, models: 760, key: 760 } as const;

export function SetupScreen() {
  const t = useTexts(texts);
  const { session } = plainRoute.useRouteContext();
  const { step = 'administrator' } = useSearch({ from: '/plain/setup' });
  const { person, setup_needed: isNeeded } = session;
  if (person !== null && step === 'administrator') return <Navigate to="/" replace />;
  if (person === null && step !== 'administrator') return <Navigate to="/sign-in" replace />;
  return (
    <Container
      size={WIDTH_PX[step]}
      w="100%"
      px={0}
      pt={{ base: 0, sm: '6vh' }}
      style={{ alignSelf: 'flex-start' }}
    >
      <StepList
        label={t('label')}
        steps={[t('administrator'), t('models'), t('key')]}
        current={['administrator', 'models', 'key'].indexOf(step)}
      />
      {person?.totp_required === true ? <TotpDemand /> : null}
      {step === 'administrator' ? <AdministratorStep isNeeded={isNeeded} /> : null}
      {person?.totp_required === false && step === 'models' ? <ModelsStep /> : null}
      {person?.totp_required === false && step === 'key' ? <KeyStep /> : null}
    </Container>
  );
}

const keyStepTexts = defineTexts('setup-key', {
  en: {
    title: 'Your first key',
    lead: 'Apps call the gateway with a key. The key that the gateway logged at its first start belongs to the same account and also works.',
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

/** The step that creates the first key and tests it with a request. */
function KeyStep() {
  const t = useTexts(keyStepTexts);
  // All clicks in this step send the same idempotency key, so that a double click creates one API
  // key.
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

const firstRequestTexts = defineTexts('first-request', {
  en: {
    title: 'Test your key',
    lead: 'This test sends one short message to {{model}} with your new key.',
    question: 'Hello! Who are you?',
    send: 'Send first request',
    works: 'Your gateway works',
  },
  zh: {
    title: '测试您的密钥',
    lead: '此测试会用您的新密钥向 {{model}} 发送一条简短的消息。',
    question: '你好！你是谁？',
    send: '发送第一个请求',
    works: '您的网关已正常工作',
  },
});

/** Sends a first request with the new key, as a program would. */
function FirstRequest({ secret }: { readonly secret: string }) {
  const t = useTexts(firstRequestTexts);
  const { data: models } = useModels();
  const model = models?.find(({ kind }) => kind === 'chat');
  if (model === undefined) return null;
  const messages = [{ role: 'user', content: t('question') }];
  return (
    <Stack gap="sm">
      <Text fw={600}>{t('title')}</Text>
      <Text size="sm">{t('lead', { model: model.name })}</Text>
      <TestRequest
        request={{ ...simpleChat(model.id), messages }}
        secret={secret}
        send={t('send')}
        works={t('works')}
      />
    </Stack>
  );
}
