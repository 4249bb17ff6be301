/** The state of a key, as a badge. */
import { Badge } from '@mantine/core';
import { useTexts } from '#i18n/texts.ts';
import type { ApiKey } from './key-form.ts';
import { type KeyState, stateOf } from './key-state.ts';
import { keyTexts } from './key-texts.ts';

const COLORS: Readonly<Record<KeyState, string>> = {
  active: 'green',
  disabled: 'yellow',
  expired: 'orange',
  revoked: 'gray',
};

export function KeyStatus({ apiKey }: { readonly apiKey: ApiKey }) {
  const t = useTexts(keyTexts);
  const state = stateOf(apiKey, Date.now());
  return (
    <Badge color={COLORS[state]} miw="max-content">
      {t(state)}
    </Badge>
  );
}
