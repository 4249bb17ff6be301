/** The state of a key. */
import { Status, type Tone } from '#components/status.tsx';
import { useTexts } from '#i18n/texts.ts';
import type { ApiKey } from './key-form.ts';
import { type KeyState, stateOf } from './key-state.ts';
import { keyTexts } from './key-texts.ts';

const TONES: Readonly<Record<KeyState, Tone>> = {
  active: 'good',
  disabled: 'attention',
  expired: 'attention',
  revoked: 'quiet',
};

export function KeyStatus({ apiKey }: { readonly apiKey: ApiKey }) {
  const t = useTexts(keyTexts);
  const state = stateOf(apiKey, Date.now());
  return <Status tone={TONES[state]}>{t(state)}</Status>;
}
