/** A request's outcome and special conditions, as badges. */
import { Badge, Group } from '@mantine/core';
import { OutcomeBadge } from '#components/outcome-badge.tsx';
import { useTexts } from '#i18n/texts.ts';
import { parseAmount } from '#money/amount.ts';
import type { RequestRecord } from './request-query.ts';
import { requestTexts } from './request-texts.ts';
import classes from './requests.module.css';

/** Whether the channel that served the request differs from the requested channel. */
const isFallback = ({ channel, channel_requested: requested }: RequestRecord): boolean =>
  requested !== null && requested !== channel;

export function RequestBadges({ request }: { readonly request: RequestRecord }) {
  const t = useTexts(requestTexts);
  const { channel: served, channel_requested: requested, estimated, measure, refunded } = request;
  const estimate = measure === 'estimated_by_time' ? 'estimatedByTimeHint' : 'estimatedHint';
  return (
    <Group gap={4} wrap="nowrap">
      <OutcomeBadge outcome={request.outcome} />
      {isFallback(request) ? (
        <Badge
          title={t('fallbackHint', { requested: requested ?? '', served })}
          color="orange"
          className={classes['badge'] ?? ''}
        >
          {t('fallback')}
        </Badge>
      ) : null}
      {estimated ? (
        <Badge title={t(estimate)} color="yellow" className={classes['badge'] ?? ''}>
          {t('estimated')}
        </Badge>
      ) : null}
      {measure === 'read_on' ? (
        <Badge title={t('readOnHint')} color="yellow" className={classes['badge'] ?? ''}>
          {t('readOn')}
        </Badge>
      ) : null}
      {parseAmount(refunded) === 0n ? null : (
        <Badge color="grape" className={classes['badge'] ?? ''}>
          {t('refunded')}
        </Badge>
      )}
      {request.streamed ? (
        <Badge color="gray" className={classes['badge'] ?? ''}>
          {t('streamed')}
        </Badge>
      ) : null}
    </Group>
  );
}
