/**
 * Tabs that show one request as a program, one tab for each client that supports the request.
 * Initially, the client that the person chose last is selected.
 */
import { Group, SegmentedControl, Stack, Tabs, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import type { ReactNode } from 'react';
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
    language: 'Language',
    session:
      'The code opens a {{client}} session in your terminal. {{client}} cannot select a channel, so each model uses its default channel.',
    noChannel:
      'These variables set no model and no channel. Set both in the program that reads the variables.',
  },
  zh: {
    environment: '环境变量',
    install: '安装',
    code: '{{client}} 示例代码',
    clients: '客户端',
    language: '语言',
    session:
      '此代码会在终端中打开一个 {{client}} 会话。{{client}} 无法指定渠道，因此每个模型都使用其默认渠道。',
    noChannel: '这些变量不指定模型和渠道，请在读取这些变量的程序中指定。',
  },
});

const STORAGE_KEY = 'modelgate.client';
/**
 * Matches the language at the end of a client's name. If a library exists in two languages, both
 * clients share a tab.
 */
const LANGUAGE = / (Python|TypeScript)$/;

export type ProgramTabsProps = {
  readonly target: Target;
  readonly request: ModelRequest;
};

export const ProgramTabs = (props: ProgramTabsProps) => (
  <ClientTabs {...props}>
    <Program {...props} />
  </ClientTabs>
);

/**
 * Returns the clients that support the request, and the selected client. This is the client that
 * the person chose last, or curl if the chosen client does not support the request.
 */
function useClient(request: ModelRequest) {
  const t = useTexts(texts);
  const clients = clientsFor(request);
  const [chosen, choose] = useLocalStorage<string>({ key: STORAGE_KEY, defaultValue: 'curl' });
  const nameOf = (client: Client): string =>
    client === 'environment' ? t('environment') : CLIENT_NAMES[client];
  return { clients, client: clients.find((each) => each === chosen) ?? 'curl', choose, nameOf };
}

export type ClientTabsProps = ProgramTabsProps & {
  /** The text in place of the install command if the client needs no installation. */
  readonly nothing?: string;
  readonly children?: ReactNode;
};

/** A tab for each client. A tab shows the command that installs its client. */
export function ClientTabs({ target, request, nothing, children }: ClientTabsProps) {
  const t = useTexts(texts);
  const { clients, client, choose, nameOf } = useClient(request);
  const tabOf = (each: Client): string => nameOf(each).replace(LANGUAGE, '');
  const siblings = clients.filter((each) => tabOf(each) === tabOf(client));
  const { install } = programFor(client, target, request);
  const open = (tab: string | null): void => {
    const inTab = clients.filter((each) => tabOf(each) === tab);
    const [language = ''] = LANGUAGE.exec(nameOf(client)) ?? [];
    choose(inTab.find((each) => nameOf(each).endsWith(language)) ?? inTab[0] ?? 'curl');
  };
  const tabs = [...new Set(clients.map(tabOf))];
  return (
    <Tabs value={tabOf(client)} onChange={open} keepMounted={false}>
      <Tabs.List className={classes['list'] ?? ''} aria-label={t('clients')}>
        {tabs.map((tab) => (
          <Tabs.Tab key={tab} value={tab} px="sm">
            {tab}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map((tab) => (
        <Tabs.Panel key={tab} value={tab} pt="sm">
          <Stack gap="sm">
            {install === null && nothing === undefined ? null : (
              <Group justify="space-between" gap="xs" mih={28}>
                <Group gap="xs">
                  <Text variant="note">{install === null ? nothing : t('install')}</Text>
                  {install === null ? null : <Copyable value={install} />}
                </Group>
                {siblings.length < 2 ? null : (
                  <SegmentedControl
                    size="xs"
                    aria-label={t('language')}
                    value={client}
                    onChange={choose}
                    data={siblings.map((value) => ({
                      value,
                      label: LANGUAGE.exec(nameOf(value))?.[1] ?? '',
                    }))}
                  />
                )}
              </Group>
            )}
            {children}
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** The code for the selected client. */
export function Program({ target, request }: ProgramTabsProps) {
  const t = useTexts(texts);
  const { client, nameOf } = useClient(request);
  const { code, language } = programFor(client, target, request);
  const name = nameOf(client);
  return (
    <Stack gap="sm">
      <CodeBlock code={code} language={language} label={t('code', { client: name })} />
      {client === 'claude-code' || client === 'codex' ? (
        <Text variant="note">{t('session', { client: name })}</Text>
      ) : null}
      {client === 'environment' ? <Text variant="note">{t('noChannel')}</Text> : null}
    </Stack>
  );
}
