/** Builds the services for passkeys. */
import { PasskeyChallenges, type PasskeyChallengesDeps } from './passkey-challenges.ts';
import { PasskeySignIn, type PasskeySignInDeps } from './passkey-sign-in.ts';
import { Passkeys, type PasskeysDeps } from './passkeys.ts';
import { RelyingParty } from './relying-party.ts';

type Built = 'party' | 'challenges';
export type OpenPasskeysDeps = Omit<PasskeysDeps, Built> &
  Omit<PasskeySignInDeps, Built> &
  PasskeyChallengesDeps & {
    readonly publicUrl: string;
    /** Returns whether people can sign in with passkeys and add passkeys. */
    readonly isOn: () => boolean;
  };

export function openPasskeys(deps: OpenPasskeysDeps) {
  const shared = {
    ...deps,
    party: new RelyingParty(deps.publicUrl, deps.isOn),
    challenges: new PasskeyChallenges(deps),
  };
  return { passkeys: new Passkeys(shared), passkeySignIn: new PasskeySignIn(shared) };
}
