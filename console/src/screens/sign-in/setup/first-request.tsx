/**
 * Sends a first request with the new key, as a program would, and streams the answer with its cost.
 */
import { Alert, Button, Group, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconCheck, IconPlayerPlay } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useModels } from '#catalogue/models.ts';
import { type Answer, firstTokenMs, isRunning } from '#chat/answer.ts';
import { ask } from '#chat/ask.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { Copyable } from '#components/copyable.tsx';
import { useFormats } from '#i18n/formats.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { Money } from '#money/money.tsx';
import classes from './setup.module.css';

const texts = defineTexts('first-request', {
  en: {
    title: 'Test your key',
    lead: 'This test sends one short message to {{model}} with your new key.',
    question: 'Hello! Who are you?',
    send: 'Send first request',
    again: 'Send again',
    answer: "The model's answer",
    works: 'Your gateway works',
    cost: 'Cost',
    first: 'first token after {{duration}}',
    cut: 'The connection closed before the answer finished. Try again.',
  },
  zh: {
    title: '测试您的密钥',
    lead: '此测试会用您的新密钥向 {{model}} 发送一条简短的消息。',
    question: '你好！你是谁？',
    send: '发送第一个请求',
    again: '再发送一次',
    answer: '模型的回答',
    works: '您的网关已正常工作',
    cost: '费用',
    first: '首 token 耗时 {{duration}}',
    cut: '回答尚未结束，连接已中断，请重试。',
  },
});
const MAX_TOKENS = 200;

export function FirstRequest({ secret }: { readonly secret: string }) {
  const t = useTexts(texts);
  const { data: models } = useModels();
  const model = models?.find(({ kind }) => kind === 'chat');
  const [answer, send] = useFirstAnswer(secret);
  if (model === undefined) return null;
  const running = answer !== null && isRunning(answer);
  return (
    <Stack gap="sm">
      <Text fw={600}>{t('title')}</Text>
      <Text size="sm">{t('lead', { model: model.name })}</Text>
      <Group>
        <Button
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          loading={running}
          onClick={() => send(model.id, t('question'))}
        >
          {t(answer === null ? 'send' : 'again')}
        </Button>
      </Group>
      {answer === null ? null : <AnswerText answer={answer} />}
    </Stack>
  );
}

function AnswerText({ answer }: { readonly answer: Answer }) {
  const t = useTexts(texts);
  const { problem, phase, text } = answer;
  return (
    <Stack gap="xs">
      {text === '' && phase === 'failed' ? null : (
        <Alert
          variant="default"
          role="region"
          aria-label={t('answer')}
          aria-busy={isRunning(answer)}
        >
          <div className={classes['answer']}>{text}</div>
        </Alert>
      )}
      {problem?.kind === 'api' ? <ApiProblem error={problem.error} /> : null}
      {problem !== null && problem.kind !== 'api' ? (
        <Alert color="red" role="alert">
          {t('cut')}
        </Alert>
      ) : null}
      <div role="status">{phase === 'done' ? <Works answer={answer} /> : null}</div>
    </Stack>
  );
}

function Works({ answer }: { readonly answer: Answer }) {
  const t = useTexts(texts);
  const { duration } = useFormats();
  const cost = answer.usage?.cost;
  const waitedMs = firstTokenMs(answer);
  return (
    <Group gap="xs" fz="sm">
      <ThemeIcon size={20} radius="xl" color="green" aria-hidden>
        <IconCheck size={14} />
      </ThemeIcon>
      <Text span inherit fw={600}>
        {t('works')}
      </Text>
      {cost == null ? null : (
        <span>
          {t('cost')} <Money amount={cost.amount} currency={cost.currency} exact />
        </span>
      )}
      {waitedMs === null ? null : <span>{t('first', { duration: duration(waitedMs) })}</span>}
      {answer.requestId === null ? null : <Copyable value={answer.requestId} />}
    </Group>
  );
}

/**
 * Returns the answer so far, and a function that sends the question. Unmounting stops the answer.
 */
function useFirstAnswer(secret: string) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const send = (model: string, question: string): void => {
    const abort = new AbortController();
    running.current = abort;
    void ask(
      { fetch: (_, init) => fetchWithKey(secret, init), nowMs: () => performance.now() },
      {
        body: {
          model,
          messages: [{ role: 'user', content: question }],
          max_tokens: MAX_TOKENS,
          stream: true,
          stream_options: { include_usage: true },
        },
        asked: { model, requestedChannel: null, promptWeight: 0 },
        signal: abort.signal,
        onChange: setAnswer,
      },
    );
  };
  return [answer, send] as const;
}

/** Sends a request with the key, as a program does, and without the session's cookies. */
function fetchWithKey(secret: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${secret}`);
  return fetch('/v2/chat/completions', { ...init, headers, credentials: 'omit' });
}
