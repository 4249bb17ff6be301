/** Shows an answer: reasoning, text, tool calls, finish reason and usage. */
import { Alert, Loader, Text } from '@mantine/core';
import { memo } from 'react';
import { RequestProblem } from '#bill/request-problem.tsx';
import { useChannelName } from '#catalogue/model-facts.tsx';
import type { Model } from '#catalogue/models.ts';
import { type Answer, isRunning, type Problem } from '#chat/answer.ts';
import { useTexts } from '#i18n/texts.ts';
import { Markdown } from '#markdown/markdown.tsx';
import classes from '#screens/playground/chat/chat.module.css';
import type { ChatStore } from '#screens/playground/chat/chat-store.ts';
import { chatTexts } from '#screens/playground/chat/chat-texts.ts';
import type { AnswerMessage } from '#screens/playground/chat/thread.ts';
import { Announcer } from './announcer.tsx';
import { AnswerActions } from './answer-actions.tsx';
import { Figures } from './figures.tsx';
import { Reasoning } from './reasoning.tsx';
import { CallView } from './tool-calls.tsx';

export type AnswerViewProps = {
  readonly message: AnswerMessage;
  readonly threadId: string;
  readonly store: ChatStore;
  readonly models: readonly Model[];
  readonly onShowCode: (threadId: string, answerId: string) => void;
};

export const AnswerView = memo(function AnswerView(props: AnswerViewProps) {
  const { message, threadId, store, models, onShowCode } = props;
  const { answer } = message;
  const onRegenerate = (): void => store.regenerate(threadId, message.id, models);
  const t = useTexts(chatTexts);
  const isComing = isRunning(answer);
  const { text, reasoning, refusal, toolCalls } = answer;
  return (
    <article className={classes['answer']} aria-busy={isComing}>
      <Announcer text={text} isGrowing={isComing} />
      {reasoning === '' ? null : (
        <Reasoning text={reasoning} isGrowing={isComing && text === '' && toolCalls.length === 0} />
      )}
      {answer.phase === 'waiting' ? (
        <span className={classes['waiting']}>
          <Loader size="xs" type="dots" aria-hidden />
          {t('waiting')}
        </span>
      ) : null}
      {text === '' ? null : <Markdown text={text} isGrowing={isComing} />}
      {refusal === '' ? null : (
        <Alert color="yellow" variant="light" title={t('refused')}>
          {refusal}
        </Alert>
      )}
      {toolCalls.map((call) => (
        <CallView key={call.id} call={call} isGrowing={isComing} />
      ))}
      <Ending answer={answer} onRegenerate={onRegenerate} />
      <div className={classes['foot']}>
        <Figures answer={answer} model={models.find(({ id }) => id === answer.model)} />
        {isComing ? null : (
          <AnswerActions
            answer={answer}
            onRegenerate={onRegenerate}
            onShowCode={() => onShowCode(threadId, message.id)}
          />
        )}
      </div>
    </article>
  );
});

type EndingProps = { readonly answer: Answer; readonly onRegenerate: () => void };

/** A notice that explains why the answer may be incomplete. */
function Ending({ answer, onRegenerate }: EndingProps) {
  const t = useTexts(chatTexts);
  const channelName = useChannelName();
  const { problem, phase, finishReason, channel, requestedChannel } = answer;
  if (problem !== null) return <ProblemView problem={problem} onRetry={onRegenerate} />;
  const notes = [
    phase === 'stopped' ? t('stopped') : null,
    finishReason === 'length' ? t('lengthEnd') : null,
    finishReason === 'content_filter' ? t('filterEnd') : null,
    channel !== null && requestedChannel !== null && channel !== requestedChannel
      ? t('servedBy', { channel: channelName(channel) })
      : null,
  ].filter((note) => note !== null);
  if (notes.length === 0) return null;
  return (
    <Text size="sm" c="dimmed">
      {notes.join(' · ')}
    </Text>
  );
}

type ProblemViewProps = { readonly problem: Problem; readonly onRetry: () => void };

function ProblemView({ problem, onRetry }: ProblemViewProps) {
  const t = useTexts(chatTexts);
  if (problem.kind === 'api') return <RequestProblem error={problem.error} onRetry={onRetry} />;
  return (
    <Alert color="red" variant="light" role="alert">
      {t(problem.kind)}
    </Alert>
  );
}
