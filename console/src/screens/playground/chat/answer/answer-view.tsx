/** Shows an answer: reasoning, text, tool calls, finish reason and usage. */
import { Alert, Group, Loader, Text, Tooltip, VisuallyHidden } from '@mantine/core';
import { memo, type ReactNode, useEffect, useRef, useState } from 'react';
import { RequestProblem } from '#bill/request-problem.tsx';
import { useChannelName } from '#catalogue/model-facts.tsx';
import type { Model } from '#catalogue/models.ts';
import {
  type Answer,
  firstTokenMs,
  hasOutput,
  isRunning,
  type Problem,
  tokensPerSecond,
} from '#chat/answer.ts';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { LazyMarkdown } from '#markdown/lazy-markdown.tsx';
import { Money } from '#money/money.tsx';
import classes from '#screens/playground/chat/chat.module.css';
import type { ChatStore } from '#screens/playground/chat/chat-store.ts';
import { chatTexts } from '#screens/playground/chat/chat-texts.ts';
import type { AnswerMessage } from '#screens/playground/chat/thread.ts';
import { AnswerActions } from './answer-actions.tsx';
import { type Cost, costOf } from './live-cost.ts';
import { Reasoning } from './reasoning.tsx';
import { sentenceEnd } from './sentences.ts';
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
      {text === '' && !isComing ? null : <LazyMarkdown text={text} isGrowing={isComing} />}
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

/** A notice that explains why an answer may be incomplete. */
function Ending({ answer, onRegenerate }: EndingProps) {
  const t = useTexts(chatTexts);
  const channelName = useChannelName();
  const { problem, phase, finishReason, channel, requestedChannel } = answer;
  const isEmpty = answer.text === '' && answer.refusal === '' && answer.toolCalls.length === 0;
  if (problem !== null) return <ProblemView problem={problem} onRetry={onRegenerate} />;
  const notes = [
    phase === 'stopped' ? t('stopped') : null,
    phase === 'done' && isEmpty ? t('emptyEnd') : null,
    finishReason === 'length' ? t('lengthEnd') : null,
    finishReason === 'content_filter' ? t('filterEnd') : null,
    channel !== null && requestedChannel !== null && channel !== requestedChannel
      ? t('servedBy', { channel: channelName(channel) })
      : null,
  ].filter((note) => note !== null);
  if (notes.length === 0) return null;
  return <Text variant="note">{notes.join(' · ')}</Text>;
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

type FiguresProps = { readonly answer: Answer; readonly model: Model | undefined };

/**
 * The usage of an answer: tokens, time and cost, estimated while it streams and exact afterwards.
 */
function Figures({ answer, model }: FiguresProps) {
  const t = useTexts(chatTexts);
  const formats = useFormats();
  const { usage } = answer;
  const first = firstTokenMs(answer);
  const speed = tokensPerSecond(answer);
  const input = usage?.input ?? Math.round(answer.promptWeight);
  const output = usage?.output ?? Math.round(answer.weight);
  // An answer that failed before its first token has no usage to show.
  if (usage === null && !isRunning(answer) && !hasOutput(answer)) return <span />;
  const cost = costOf(answer, model);
  const about = usage === null ? '≈ ' : '';
  return (
    <Group gap="xs" className={classes['figures'] ?? ''} role="group" aria-label={t('figures')}>
      <Figure>{`${about}${t('tokensIn', { count: formats.count(input) })}`}</Figure>
      {usage === null || usage.cached === 0 ? null : (
        <Figure>{t('tokensCached', { count: formats.count(usage.cached) })}</Figure>
      )}
      <Figure>{`${about}${t('tokensOut', { count: formats.count(output) })}`}</Figure>
      {usage === null || usage.reasoning === 0 ? null : (
        <Figure>{t('tokensThought', { count: formats.count(usage.reasoning) })}</Figure>
      )}
      {first === null ? null : (
        <Figure>{t('firstToken', { time: formats.duration(first) })}</Figure>
      )}
      {speed === null ? null : (
        <Figure>{t('speed', { count: formats.count(Math.round(speed)) })}</Figure>
      )}
      {cost === null ? null : <CostFigure cost={cost} />}
    </Group>
  );
}

const Figure = ({ children }: { readonly children: ReactNode }) => (
  <Text span variant="caption">
    {children}
  </Text>
);

function CostFigure({ cost }: { readonly cost: Cost }) {
  const t = useTexts(chatTexts);
  if (cost.isEstimate) {
    return (
      <Tooltip label={t('estimate')} multiline maw={260}>
        <Text span variant="caption">
          {'≈ '}
          <Money amount={cost.amount} currency={cost.currency} />
        </Text>
      </Tooltip>
    );
  }
  return (
    <Text span size="xs" fw={500}>
      <Money amount={cost.amount} currency={cost.currency} exact />
    </Text>
  );
}

/**
 * The minimum pause between announcements. More frequent announcements interrupt each other and are
 * never heard.
 */
const PAUSE_MS = 1_500;

/** Announces a streaming answer to screen readers, sentence by sentence. */
function Announcer({ text, isGrowing }: { readonly text: string; readonly isGrowing: boolean }) {
  // The index up to which the text was announced. Text that already exists when the page opens is
  // not announced.
  const announced = useRef(isGrowing ? 0 : text.length);
  const saidAt = useRef(0);
  const [piece, setPiece] = useState('');
  useEffect(() => {
    const say = (): void => {
      const end = isGrowing ? sentenceEnd(text, announced.current) : text.length;
      if (end <= announced.current) return;
      setPiece(text.slice(announced.current, end));
      announced.current = end;
      saidAt.current = performance.now();
    };
    const restMs = isGrowing ? saidAt.current + PAUSE_MS - performance.now() : 0;
    const timer = setTimeout(say, Math.max(0, restMs));
    return () => clearTimeout(timer);
  }, [text, isGrowing]);
  return <VisuallyHidden aria-live="polite">{piece}</VisuallyHidden>;
}
