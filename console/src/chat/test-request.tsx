/** Sends a test request from the page, and shows the answer with its bill. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { RequestBill } from '#bill/request-bill.tsx';
import { RequestProblem } from '#bill/request-problem.tsx';
import { Copyable } from '#components/copyable.tsx';
import { Status } from '#components/status.tsx';
import { useFormats } from '#i18n/formats.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { LazyMarkdown } from '#markdown/lazy-markdown.tsx';
import { Money } from '#money/money.tsx';
import { bodyOf, type ChatRequest } from '#snippets/request.ts';
import { type Answer, firstTokenMs, isRunning } from './answer.ts';
import { ask } from './ask.ts';

const texts = defineTexts('test-request', {
  en: {
    again: 'Send again',
    answer: "The model's answer",
    cost: 'Cost',
    first: 'first token after {{duration}}',
    cut: 'The connection closed before the answer finished. Try again.',
    bill: 'Receipt of this request',
  },
  zh: {
    again: '再发送一次',
    answer: '模型的回答',
    cost: '费用',
    first: '首 token 耗时 {{duration}}',
    cut: '回答尚未完成，连接就中断了，请重试。',
    bill: '本次请求的账单明细',
  },
});
/** The maximum number of output tokens of a test, so that it costs little. */
const MAX_TOKENS = 200;

export type TestRequestProps = {
  readonly request: ChatRequest;
  /** The key that authenticates the request; null for the session, as in the playground. */
  readonly secret: string | null;
  /** The label of the button. */
  readonly send: string;
  /** The message shown after a complete answer, which says what the answer proves. */
  readonly works: string;
};

export function TestRequest({ request, secret, send, works }: TestRequestProps) {
  const t = useTexts(texts);
  const [answer, start] = useAnswer(request, secret);
  return (
    <Stack gap="sm">
      <Group>
        <Button
          variant={answer === null ? 'filled' : 'default'}
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          loading={answer !== null && isRunning(answer)}
          onClick={start}
        >
          {answer === null ? send : t('again')}
        </Button>
      </Group>
      {answer === null ? null : <AnswerText answer={answer} works={works} />}
    </Stack>
  );
}

function AnswerText({ answer, works }: { readonly answer: Answer; readonly works: string }) {
  const t = useTexts(texts);
  const { problem, phase, text, requestId } = answer;
  return (
    <Stack gap="sm">
      {text === '' && phase === 'failed' ? null : (
        <Alert
          variant="default"
          role="region"
          aria-label={t('answer')}
          aria-busy={isRunning(answer)}
        >
          <LazyMarkdown text={text} isGrowing={isRunning(answer)} />
        </Alert>
      )}
      {problem?.kind === 'api' ? <RequestProblem error={problem.error} /> : null}
      {problem !== null && problem.kind !== 'api' ? (
        <Alert color="red" role="alert">
          {t('cut')}
        </Alert>
      ) : null}
      <div role="status">{phase === 'done' ? <Works answer={answer}>{works}</Works> : null}</div>
      {phase === 'done' && requestId !== null ? (
        <Stack gap="xs" component="section" aria-label={t('bill')}>
          <RequestBill key={requestId} id={requestId} />
        </Stack>
      ) : null}
    </Stack>
  );
}

function Works({ answer, children }: { readonly answer: Answer; readonly children: ReactNode }) {
  const t = useTexts(texts);
  const { duration } = useFormats();
  const cost = answer.usage?.cost;
  const waitedMs = firstTokenMs(answer);
  return (
    <Group gap="sm" fz="sm">
      <Status tone="good">{children}</Status>
      {cost == null ? null : (
        <span>
          {t('cost')} <Money amount={cost.amount} currency={cost.currency} exact />
        </span>
      )}
      {waitedMs === null ? null : (
        <Text span inherit c="dimmed">
          {t('first', { duration: duration(waitedMs) })}
        </Text>
      )}
      {answer.requestId === null ? null : <Copyable value={answer.requestId} />}
    </Group>
  );
}

/**
 * Returns the answer so far, and a function that sends the request. Unmounting stops the answer.
 */
function useAnswer(request: ChatRequest, secret: string | null) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const start = (): void => {
    running.current?.abort();
    const abort = new AbortController();
    running.current = abort;
    const stream = { stream: true, stream_options: { include_usage: true } };
    void ask(
      {
        fetch: (path, init) => (secret === null ? fetch(path, init) : fetchWithKey(secret, init)),
        nowMs: () => performance.now(),
      },
      {
        body: { max_tokens: MAX_TOKENS, ...bodyOf(request), ...stream },
        asked: { model: request.model, requestedChannel: request.channel, promptWeight: 0 },
        signal: abort.signal,
        onChange: setAnswer,
      },
    );
  };
  return [answer, start] as const;
}

/** Sends a request with the key, as a program does, and without the session's cookies. */
function fetchWithKey(secret: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${secret}`);
  return fetch('/v2/chat/completions', { ...init, headers, credentials: 'omit' });
}
