/**
 * The usage of an answer: tokens, time and cost, estimated while it streams and exact afterwards.
 */
import { Group, Text, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Model } from '#catalogue/models.ts';
import { type Answer, firstTokenMs, hasOutput, isRunning, tokensPerSecond } from '#chat/answer.ts';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { Money } from '#money/money.tsx';
import classes from '#screens/playground/chat/chat.module.css';
import { chatTexts } from '#screens/playground/chat/chat-texts.ts';
import { type Cost, costOf } from './live-cost.ts';

export type FiguresProps = { readonly answer: Answer; readonly model: Model | undefined };

export function Figures({ answer, model }: FiguresProps) {
  const t = useTexts(chatTexts);
  const formats = useFormats();
  const { usage } = answer;
  const first = firstTokenMs(answer);
  const speed = tokensPerSecond(answer);
  const input = usage?.input ?? Math.round(answer.promptWeight);
  const output = usage?.output ?? Math.round(answer.weight);
  // A request that failed before its first token has no usage to show.
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
  <Text span size="xs" c="dimmed">
    {children}
  </Text>
);

function CostFigure({ cost }: { readonly cost: Cost }) {
  const t = useTexts(chatTexts);
  if (cost.isEstimate) {
    return (
      <Tooltip label={t('estimate')} multiline maw={260}>
        <Text span size="xs" c="dimmed">
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
