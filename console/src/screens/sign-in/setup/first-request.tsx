/** Sends a first request with the new key, as a program would. */
import { Stack, Text } from '@mantine/core';
import { useModels } from '#catalogue/models.ts';
import { TestRequest } from '#chat/test-request.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { simpleChat } from '#snippets/request.ts';

const texts = defineTexts('first-request', {
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

export function FirstRequest({ secret }: { readonly secret: string }) {
  const t = useTexts(texts);
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
