/**
 * Tabs with one request as a program for each client that supports it. The last selected client is
 * shown first.
 */
import { Group, Stack, Tabs, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { CodeBlock } from '#code/code-block.tsx';
import { Copyable } from '#components/copyable.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import classes from './program-tabs.module.css';
import type { ModelRequest, Target } from './request.ts';
import { CLIENT_NAMES, type Client, clientsFor, programFor } from './snippet.ts';

const texts = defineTexts('program-tabs', {
  en: {
    environment: 'Environment',
    install: 'Install',
    code: '{{client}} code',
    clients: 'Clients',
    session:
      'The code opens a {{client}} session in your terminal. {{client}} cannot select a channel, so each model uses its default channel.',
    noChannel:
      'These variables do not set a model or a channel. Set both in the program that reads the variables.',
  },
  zh: {
    environment: '环境变量',
    install: '安装',
    code: '{{client}} 示例代码',
    clients: '客户端',
    session:
      '此代码会在终端中打开一个 {{client}} 会话。{{client}} 无法指定渠道，因此每个模型都使用其默认渠道。',
    noChannel: '这些变量不指定模型和渠道，请在读取这些变量的程序中指定。',
  },
});

const STORAGE_KEY = 'modelgate.client';

export type ProgramTabsProps = {
  readonly target: Target;
  readonly request: ModelRequest;
};

export function ProgramTabs({ target, request }: ProgramTabsProps) {
  const t = useTexts(texts);
  const clients = clientsFor(request);
  const [chosen, choose] = useLocalStorage<string>({ key: STORAGE_KEY, defaultValue: 'curl' });
  const shown = clients.find((client) => client === chosen) ?? 'curl';
  const nameOf = (client: Client): string =>
    client === 'environment' ? t('environment') : CLIENT_NAMES[client];
  return (
    <Tabs value={shown} onChange={(value) => choose(value ?? 'curl')} keepMounted={false}>
      <Tabs.List className={classes['list'] ?? ''} aria-label={t('clients')}>
        {clients.map((client) => (
          <Tabs.Tab key={client} value={client} px="sm">
            {nameOf(client)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {clients.map((client) => (
        <Tabs.Panel key={client} value={client} pt="md">
          <Program client={client} name={nameOf(client)} target={target} request={request} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

type ProgramProps = ProgramTabsProps & { readonly client: Client; readonly name: string };

function Program({ client, name, target, request }: ProgramProps) {
  const t = useTexts(texts);
  const { code, language, install } = programFor(client, target, request);
  return (
    <Stack gap="sm">
      {install === null ? null : (
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {t('install')}
          </Text>
          <Copyable value={install} />
        </Group>
      )}
      <CodeBlock code={code} language={language} label={t('code', { client: name })} />
      {client === 'claude-code' || client === 'codex' ? (
        <Text size="sm" c="dimmed">
          {t('session', { client: name })}
        </Text>
      ) : null}
      {client === 'environment' ? (
        <Text size="sm" c="dimmed">
          {t('noChannel')}
        </Text>
      ) : null}
    </Stack>
  );
}
