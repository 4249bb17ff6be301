/** The errors of passkeys. The console has a translation of each reason. */
import { errorsOf, GatewayError } from '../../errors.ts';

const conflict = errorsOf('conflict');

/** The reasons why a passkey is refused. Each text also says what the person can do. */
const REASONS = {
  off: 'Passkeys are turned off here. Sign in another way.',
  address:
    'Passkeys need an address with a host name, not an IP address. The operator has to set `public_url`.',
  expired:
    'The passkey request was not started in this browser, was already used, or took longer than 5 minutes. Start again.',
  unknown:
    'This passkey is not registered, or was removed. Sign in another way, then add a new passkey in your profile.',
  refused:
    'The passkey could not be verified. Try again. If it fails again, sign in another way, and add a new passkey.',
  counter:
    'The passkey was refused, because a copy of it seems to exist. Sign in another way, remove the passkey, and add a new one.',
} as const;
export type PasskeyReason = keyof typeof REASONS;

export const passkeyFailed = (reason: PasskeyReason, cause?: unknown): GatewayError =>
  new GatewayError('passkey_failed', REASONS[reason], { extra: { reason }, cause });

export const passkeyIsKnown = conflict('You have already added this passkey.');
export const tooManyPasskeys = (most: number): GatewayError =>
  new GatewayError(
    'conflict',
    `You have ${most} passkeys, which is the limit. First remove one that you no longer use.`,
  );
export const noSuchPasskey = errorsOf('not_found')(
  'You have no passkey with this id. List your passkeys to find the right id.',
);
