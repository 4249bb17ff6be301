/** What an answer took: tokens, time and money, live while it comes and exact when it is there. */
import { Group, Text, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import { answerOf, api } from '../../../api/client.ts';
import type { Model } from '../../../catalogue/models.ts';
import { useFormats } from '../../../i18n/formats.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Money } from '../../../money/money.tsx';
import { type Answer, firstTokenMs, hasOutput, isRunning, tokensPerSecond } from './answer.ts';
import classes from './chat.module.css';
import { chatTexts } from './chat-texts.ts';
import { type Cost, costOf } from './live-cost.ts';

export type FiguresProps = { readonly answer: Answer; readonly model: Model | undefined };

export function Figures({ answer, model }: FiguresProps) {
  const t = useTexts(chatTexts);
  const formats = useFormats();
  const record = useRecord(answer);
  const { usage } = answer;
  const first = firstTokenMs(answer);
  const speed = tokensPerSecond(answer);
  const input = usage?.input ?? record?.input ?? Math.round(answer.promptWeight);
  const output = usage?.output ?? record?.output ?? Math.round(answer.weight);
  const isCounted = usage !== null || record !== null;
  const cost = record?.cost ?? costOf(answer, model);
  const about = isCounted ? '' : '≈ ';
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
    <Text span size="xs" fw={600}>
      <Money amount={cost.amount} currency={cost.currency} />
    </Text>
  );
}

/** A request that was broken off is settled a moment later. */
const SETTLED_WITHIN_TRIES = 8;
const TRY_AGAIN_MS = 400;

/** What the books say of an answer whose stream did not come to its end: what came of it is charged. */
function useRecord(answer: Answer) {
  const { requestId } = answer;
  const isBroken = !isRunning(answer) && answer.usage === null && hasOutput(answer);
  const { data } = useQuery({
    queryKey: ['request', requestId],
    queryFn: ({ signal }) => {
      const params = { path: { id: requestId ?? '' } };
      return answerOf(api.GET('/console/api/requests/{id}', { params, signal }));
    },
    enabled: isBroken && requestId !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: (failures, error) =>
      failures < SETTLED_WITHIN_TRIES && error instanceof ApiError && error.status === 404,
    retryDelay: TRY_AGAIN_MS,
  });
  if (data === undefined) return null;
  const { data: record } = data;
  return {
    input: record.input_tokens + record.cache_read_tokens + record.cache_write_5m_tokens,
    output: record.output_tokens,
    cost: { amount: record.cost, currency: record.currency, isEstimate: false },
  };
}
