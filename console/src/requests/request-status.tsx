/** The state of a request: a dot and a word, with what happened and the error code on hover. */
import type { Outcome } from '#api/outcomes.ts';
import { Status } from '#components/status.tsx';
import { useTexts } from '#i18n/texts.ts';
import { outcomeTexts, STATE_OF, stateTexts, TONES } from './outcome.ts';

export type RequestStatusProps = { readonly outcome: Outcome; readonly code: string | null };

export function RequestStatus({ outcome, code }: RequestStatusProps) {
  const t = useTexts(stateTexts);
  const what = useTexts(outcomeTexts);
  const state = STATE_OF[outcome];
  const title = code === null ? what(outcome) : `${what(outcome)} (${code})`;
  return (
    <Status tone={TONES[state]} title={title}>
      {t(state)}
    </Status>
  );
}
