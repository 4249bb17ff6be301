/** The log of prompts and answers: a switch for owners, a notice for all, and the logged texts. */
import { Button, Code, Group, Stack, Switch, Text, Title } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '#api/client.ts';
import { mayAs, useSignedIn } from '#api/session.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { Dialog } from '#components/dialog.tsx';
import { TypeToConfirm } from '#components/forms/type-to-confirm.tsx';
import { Moment } from '#components/moment.tsx';
import { Status } from '#components/status.tsx';
import { useFormats } from '#i18n/formats.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';

const texts = defineTexts('prompt-log', {
  en: {
    title: 'Prompt log',
    account: 'Log prompts and answers of this account',
    key: 'Log prompts and answers of this key',
    hint: 'Prompts and answers are encrypted, kept for {{days}} days, and shown to owners in the details of a request. Each time an administrator reads them, the audit log records it.',
    wholeAccount: 'Prompt logging is on for the whole account.',
    onAccount: 'Prompts and answers of this account are logged',
    onKey: 'Prompts and answers of this key are logged',
    onKeys_one: 'Prompts and answers of {{count}} key are logged',
    onKeys_other: 'Prompts and answers of {{count}} keys are logged',
    since: 'since',
    deleteAll: 'Delete logged prompts',
    deleteLead: 'All logged prompts and answers of this account will be permanently deleted.',
    phrase: 'delete',
    prompt: 'Prompt',
    answer: 'Answer',
    cut: 'Cut off: only the first 128 KB of a prompt or answer is stored.',
    deleteOne: 'Delete prompt and answer',
  },
  zh: {
    title: '提示词日志',
    account: '记录此账户的提示词和回答',
    key: '记录此密钥的提示词和回答',
    hint: '提示词和回答会加密保存 {{days}} 天，所有者可在请求详情中查看。管理员每次查看都会记入审计日志。',
    wholeAccount: '已为整个账户开启提示词日志。',
    onAccount: '正在记录此账户的提示词和回答',
    onKey: '正在记录此密钥的提示词和回答',
    onKeys_one: '正在记录 {{count}} 个密钥的提示词和回答',
    onKeys_other: '正在记录 {{count}} 个密钥的提示词和回答',
    since: '开始于',
    deleteAll: '删除提示词日志',
    deleteLead: '此账户已记录的所有提示词和回答将被永久删除。',
    phrase: 'delete',
    prompt: '提示词',
    answer: '回答',
    cut: '内容已截断：提示词和回答各最多保存前 128 KB。',
    deleteOne: '删除提示词和回答',
  },
});

const PROMPT_LOG = ['prompt-log'] as const;
const SECONDS_A_DAY = 86_400;

const promptLogQuery = queryOptions({
  queryKey: [...PROMPT_LOG, 'state'],
  queryFn: ({ signal }) => answerOf(api.GET('/console/api/prompt-log', { signal })),
});

const promptQuery = (id: string) =>
  queryOptions({
    queryKey: [...PROMPT_LOG, 'prompt', id],
    queryFn: async ({ signal }) => {
      const asked = { params: { path: { id } }, signal };
      return (await answerOf(api.GET('/console/api/requests/{id}/prompt', asked))).data;
    },
  });

/** The key whose prompt log a component shows or changes; null for the log of the account. */
type Of = { readonly keyId: string | null };

/** States that prompts are logged; renders nothing while they are not. */
export function PromptLogNotice({ keyId }: Of) {
  const t = useTexts(texts);
  const { data: on = [] } = useQuery({ ...promptLogQuery, select: ({ data }) => data });
  const [whole] = on.filter((each) => each.key_id === null);
  const [own] = on.filter((each) => each.key_id === keyId);
  const shown = whole ?? own;
  if (shown === undefined && (keyId !== null || on.length === 0)) return null;
  const words = whole === undefined ? 'onKey' : 'onAccount';
  return (
    <Group gap="xs" fz="sm">
      <Status tone="attention">
        {shown === undefined ? t('onKeys', { count: on.length }) : t(words)}
      </Status>
      {shown === undefined ? null : (
        <Text variant="note" component="span">
          {t('since')} <Moment at={shown.since} />
        </Text>
      )}
    </Group>
  );
}

/** The switch for owners that turns logging on or off. */
export function PromptLogSwitch({ keyId }: Of) {
  const t = useTexts(texts);
  const { role } = useSignedIn();
  const { count } = useFormats();
  const queries = useQueryClient();
  const { data } = useQuery(promptLogQuery);
  const turn = useMutation({
    mutationFn: (on: boolean) =>
      answerOf(api.PUT('/console/api/prompt-log', { body: { key_id: keyId, on } })),
    onSuccess: (changed) => queries.setQueryData(promptLogQuery.queryKey, changed),
  });
  if (data === undefined || !mayAs(role, 'owner')) return null;
  const isOn = (id: string | null): boolean => data.data.some((each) => each.key_id === id);
  const isOfAccount = keyId !== null && isOn(null);
  const days = count(Math.round(data.kept_seconds / SECONDS_A_DAY));
  return (
    <Stack gap="xs">
      <Switch
        label={t(keyId === null ? 'account' : 'key')}
        description={isOfAccount ? t('wholeAccount') : t('hint', { days })}
        checked={isOfAccount || isOn(keyId)}
        disabled={isOfAccount || turn.isPending}
        onChange={({ currentTarget }) => turn.mutate(currentTarget.checked)}
      />
      {turn.error === null ? null : <ApiProblem error={turn.error} />}
    </Stack>
  );
}

/** A button for owners. It opens a dialog to turn the account's log on or off, or to delete it. */
export function PromptLogButton() {
  const t = useTexts(texts);
  const { role } = useSignedIn();
  const queries = useQueryClient();
  const [opened, setOpened] = useState<'switch' | 'delete' | null>(null);
  if (!mayAs(role, 'owner')) return null;
  return (
    <>
      <Button variant="default" onClick={() => setOpened('switch')}>
        {t('title')}
      </Button>
      <Dialog opened={opened === 'switch'} onClose={() => setOpened(null)} title={t('title')}>
        <Stack>
          <PromptLogSwitch keyId={null} />
          <Group>
            <Button variant="default" onClick={() => setOpened('delete')}>
              {t('deleteAll')}
            </Button>
          </Group>
        </Stack>
      </Dialog>
      <TypeToConfirm
        opened={opened === 'delete'}
        onClose={() => setOpened(null)}
        title={t('deleteAll')}
        phrase={t('phrase')}
        confirm={t('deleteAll')}
        act={async () => {
          await answerOf(api.DELETE('/console/api/prompt-log/records'));
          await queries.invalidateQueries({ queryKey: PROMPT_LOG });
        }}
      >
        {t('deleteLead')}
      </TypeToConfirm>
    </>
  );
}

/** The logged prompt and answer of a request, for owners. Renders nothing if there is no log. */
export function LoggedPrompt({ id }: { readonly id: string }) {
  const t = useTexts(texts);
  const { role } = useSignedIn();
  const queries = useQueryClient();
  const { data, error } = useQuery({ ...promptQuery(id), enabled: mayAs(role, 'owner') });
  const remove = useMutation({
    mutationFn: () =>
      answerOf(api.DELETE('/console/api/requests/{id}/prompt', { params: { path: { id } } })),
    onSuccess: () => queries.setQueryData(promptQuery(id).queryKey, null),
  });
  const problem = error ?? remove.error;
  if (problem !== null) return <ApiProblem error={problem} />;
  if (data === undefined || data === null) return null;
  return (
    <Stack gap="xs" component="section" aria-label={t('title')}>
      <Group justify="space-between">
        <Title order={3} size="h5">
          {t('title')}
        </Title>
        <Button
          size="xs"
          variant="default"
          loading={remove.isPending}
          onClick={() => remove.mutate()}
        >
          {t('deleteOne')}
        </Button>
      </Group>
      {data.is_cut ? <Text variant="note">{t('cut')}</Text> : null}
      <Block name={t('prompt')} text={data.prompt} />
      <Block name={t('answer')} text={data.answer} />
    </Stack>
  );
}

/** The height above which a text scrolls. */
const BLOCK_PX = 280;

const Block = ({ name, text }: { readonly name: string; readonly text: string }) => (
  <Stack gap={4}>
    <Text variant="note">{name}</Text>
    <Code
      block
      tabIndex={0}
      aria-label={name}
      style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      mah={BLOCK_PX}
    >
      {readable(text)}
    </Code>
  </Stack>
);

/** Indents a JSON body. Any other text, such as a stream of events, stays as it is. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // The text is not JSON: it is an event stream, or it was truncated.
    return text;
  }
}
