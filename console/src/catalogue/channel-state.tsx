/** A badge that shows the health of a channel as a word and a color. */
import { Badge, Tooltip } from '@mantine/core';
import { useTexts } from '#i18n/texts.ts';
import { modelTexts } from './model-texts.ts';
import type { Channel } from './models.ts';

export type State = NonNullable<Channel['health']>['status'];

export const STATE_COLORS: Readonly<Record<State, string>> = {
  healthy: 'teal',
  degraded: 'yellow',
  down: 'red',
};

export type ChannelStateProps = { readonly health: Channel['health'] };

export function ChannelState({ health }: ChannelStateProps) {
  const t = useTexts(modelTexts);
  if (health !== null) return <StateBadge state={health.status} />;
  return (
    <Tooltip label={t('quietHint')}>
      <Badge color="gray" miw="max-content">
        {t('quiet')}
      </Badge>
    </Tooltip>
  );
}

export function StateBadge({ state }: { readonly state: State }) {
  const t = useTexts(modelTexts);
  return (
    <Badge color={STATE_COLORS[state]} miw="max-content">
      {t(state)}
    </Badge>
  );
}
