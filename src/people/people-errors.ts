/** What is said no to where people sign in and join, and what to do about it. */
import { GatewayError } from '../errors.ts';
import type { Role } from './person.ts';

/** Clients wait for a minute at most; `retry_after_seconds` says how long it really is. */
const MAX_RETRY_SECONDS = 60;

export const notSignedIn = (): GatewayError =>
  new GatewayError(
    'not_signed_in',
    'Nobody is signed in, or the session has ended. Sign in to the console.',
  );

/** The same for an address that nobody has and for a wrong password. */
export const signInFailed = (): GatewayError =>
  new GatewayError(
    'sign_in_failed',
    'E-mail address and password do not belong together. Check both; a forgotten password is reset by a link that an owner or an administrator can make.',
  );

export const challengeLost = (): GatewayError =>
  new GatewayError(
    'sign_in_failed',
    'This sign-in has ended: its time is over, or too many wrong codes were tried. Begin again with e-mail address and password.',
  );

export const wrongPassword = (param: string): GatewayError =>
  new GatewayError('wrong_password', `${param} is not your password. Type it again.`, { param });

export const wrongCode = (): GatewayError =>
  new GatewayError(
    'wrong_code',
    'code is not right. Wait for the next one that the authenticator shows, and check that the clock of its device is right; or use a recovery code that was not used before.',
    { param: 'code' },
  );

/** A fault of the installation, which only its operator can mend. */
export const encryptedUnderOtherKey = (cause: unknown): GatewayError =>
  new GatewayError(
    'internal_error',
    'The authenticator cannot be read: it was set up under another console key than this node has. Give every node the same file console.key, or the same setting console.secret; if that key is lost, run `modelgate people reset-link EMAIL --clear-totp`.',
    { cause },
  );

export const codesLocked = (): GatewayError => tryLater('Too many wrong codes were tried', 900);

export function tryLater(what: string, seconds: number): GatewayError {
  const wait = seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
  return new GatewayError('rate_limit_exceeded', `${what}. Try again in ${wait}.`, {
    retryAfterSeconds: Math.max(1, Math.min(seconds, MAX_RETRY_SECONDS)),
    extra: { retry_after_seconds: seconds },
  });
}

export const totpRequired = (): GatewayError =>
  new GatewayError(
    'totp_required',
    'This gateway wants a second step of administrators. Set up an authenticator in your profile first.',
  );

export const linkNotValid = (): GatewayError =>
  new GatewayError(
    'link_not_valid',
    'This link does not work: it was used, replaced or taken back, or its time is over. Ask for a new one; for the first administrator, restart the gateway or run `modelgate people setup-link`.',
    { param: 'token' },
  );

export const setupDone = (): GatewayError =>
  new GatewayError(
    'conflict',
    'There is an administrator already. Sign in, or ask for a link that resets the password: `modelgate people reset-link EMAIL`.',
  );

export const emailTaken = (): GatewayError =>
  new GatewayError(
    'email_taken',
    'email belongs to somebody who has an account here. Sign in with it, or use another.',
    { param: 'email' },
  );

export const otherEmail = (): GatewayError =>
  new GatewayError(
    'invalid_value',
    'email is not the address that this invitation is for. Use that address, or ask for another invitation.',
    { param: 'email' },
  );

export const signUpClosed = (): GatewayError =>
  new GatewayError(
    'not_allowed',
    'Sign-up is closed here. Ask an owner of your account, or an administrator, for an invitation.',
  );

export const roleTooHigh = (role: Role, own: Role): GatewayError =>
  new GatewayError(
    'not_allowed',
    `role is ${role}, which is more than your own, ${own}. Ask an administrator.`,
    { param: 'role' },
  );

export const noSuchPerson = (): GatewayError =>
  new GatewayError('not_found', 'There is nobody with this id. List people to find it.');

export const noSuchInvitation = (): GatewayError =>
  new GatewayError(
    'not_found',
    'There is no open invitation with this id. List invitations to find it.',
  );

export const noSuchSession = (): GatewayError =>
  new GatewayError('not_found', 'There is no session with this id. List your sessions to find it.');

export const lastOfRole = (role: 'owner' | 'administrator'): GatewayError =>
  new GatewayError(
    'last_of_role',
    role === 'administrator'
      ? 'This is the last administrator. Make somebody else administrator first.'
      : 'This is the last owner of the account. Make somebody else owner first.',
  );

export const tooManyInvitations = (most: number): GatewayError =>
  new GatewayError(
    'conflict',
    `The account has ${most} open invitations, the most there may be. Take some back first.`,
  );

export const personAboveOwnRole = (role: Role): GatewayError =>
  new GatewayError(
    'not_allowed',
    `They are ${role}, which is more than you are. Ask an administrator.`,
  );

export const totpIsOn = (): GatewayError =>
  new GatewayError(
    'conflict',
    'An authenticator is set up already. Take it away first, and then set up the new one.',
  );

export const totpIsOff = (): GatewayError =>
  new GatewayError('conflict', 'No authenticator is set up. Set one up first.');
