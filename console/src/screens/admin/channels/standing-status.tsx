/** A route's state, with a sentence beside it or on hover. */
import { Status, type Tone } from '#components/status.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { channelTexts } from './channels-texts.ts';
import type { RouteHealth, Standing } from './route-groups.ts';

const TONES: Readonly<Record<Standing, Tone>> = {
  closed: 'good',
  half_open: 'attention',
  open: 'bad',
  cooling: 'attention',
};

export function StandingStatus({ route }: { readonly route: RouteHealth }) {
  const t = useTexts(channelTexts);
  const words = useStandingWords();
  return (
    <Status tone={TONES[route.standing]} title={words(route)}>
      {t(route.standing)}
    </Status>
  );
}

/**
 * Returns a function that writes a sentence about a route's state and how long it has lasted and
 * will last.
 */
export function useStandingWords(): (route: RouteHealth) => string {
  const t = useTexts(channelTexts);
  const { ago, duration } = useFormats();
  return ({ standing, retry_in_ms: waitMs, since }) => {
    const wait = duration(waitMs);
    const sentence = {
      closed: () => t('closedWords'),
      half_open: () => t('half_openWords'),
      open: () => (waitMs > 0 ? t('openWords', { wait }) : t('openNowWords')),
      cooling: () => (waitMs > 0 ? t('coolingWords', { wait }) : t('coolingNowWords')),
    }[standing]();
    if (since === null || standing === 'closed') return sentence;
    return `${sentence} ${t('since', { ago: ago(since) })}`;
  };
}
