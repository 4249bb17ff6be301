/** The health of a channel as a dot and a word, in the same way on all pages. */
import { Status, type Tone } from '#components/status.tsx';
import { useTexts } from '#i18n/texts.ts';
import { modelTexts } from './model-texts.ts';
import type { Channel } from './models.ts';

export type State = Channel['health']['status'];

export const HEALTH_TONES: Readonly<Record<State, Tone>> = {
  healthy: 'good',
  degraded: 'attention',
  down: 'bad',
  unknown: 'quiet',
};

export function ChannelState({ state }: { readonly state: State }) {
  const t = useTexts(modelTexts);
  return (
    <Status
      tone={HEALTH_TONES[state]}
      title={state === 'unknown' ? t('unknownStateHint') : undefined}
    >
      {t(state === 'unknown' ? 'unknownState' : state)}
    </Status>
  );
}
