/** The errors of sign-in, of sign-up, and of changes of people. */
import { errorsOf, GatewayError } from '../errors.ts';
import type { Role } from './person.ts';

const conflict = errorsOf('conflict');
const notFound = errorsOf('not_found');

/**
 * The maximum of the header `retry-after` in seconds, because clients do not wait longer. The
 * error's field `retry_after_seconds` contains the actual time, which may be longer.
 */
const MAX_RETRY_SECONDS = 60;

export const notSignedIn = errorsOf('not_signed_in')(
  'You are signed out, or your session has expired. Sign in to the console.',
);

/**
 * The error for an unknown email address and for a wrong password. It is the same for both, so that
 * it does not reveal whether the address has an account.
 */
export const signInFailed = errorsOf('sign_in_failed')(
  'Incorrect email or password. Check both. If you forgot the password, ask an owner or an administrator for a reset link.',
);
export const challengeLost = errorsOf('sign_in_failed')(
  'This sign-in has expired, or too many wrong codes were tried. Sign in again.',
);

export const passwordChanged = conflict(
  'Your password was changed or reset at the same time. Sign in with the new password.',
);

export const wrongPassword = (param: string): GatewayError =>
  new GatewayError('wrong_password', `${param} is incorrect. Type your password again.`, { param });

export const wrongCode = errorsOf('wrong_code')(
  'code is incorrect. Wait for the next code of your authenticator, and check the clock of its device; or use an unused recovery code.',
  { param: 'code' },
);

/** The error when the console key is wrong. Only the operator can fix this. */
export const encryptedUnderOtherKey = (cause: unknown): GatewayError =>
  new GatewayError(
    'internal_error',
    'The authenticator cannot be decrypted: it was set up under a different console key. Give every node the same console.key file or the same console.secret setting. If that key is lost, run `modelgate people reset-link EMAIL --clear-totp`.',
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

/** The time after a sign-in within which a person without a password can confirm a change. */
export const RECENT_SIGN_IN_MS = 600_000;
export const signInAgain = errorsOf('sign_in_again')(
  'This request requires a sign-in within the last 10 minutes. Sign out, sign in again, and retry.',
);
export const passwordMissing = (param: string): GatewayError =>
  new GatewayError('missing_required_parameter', `${param} is missing. Type your password.`, {
    param,
  });
export const passwordsOff = errorsOf('not_allowed')(
  'Passwords are turned off here. Sign in through the identity provider, or ask an administrator for a reset link.',
);
export const totpRequired = errorsOf('totp_required')(
  'Two-factor authentication is required for administrators. Set up an authenticator in your profile first.',
);
export const viewIsReadOnly = errorsOf('view_is_read_only')(
  "You are viewing an account as its owner, so nothing can be changed and administrators' pages are closed. End the view first.",
);
export const otherAccount = errorsOf('other_account')(
  'Your session has switched to another account. Reload the page.',
);
export const linkNotValid = errorsOf('link_not_valid')(
  'This link is invalid: it was used, replaced or revoked, or it has expired. Ask for a new one. For the first administrator, restart the gateway or run `modelgate people setup-link`.',
  { param: 'token' },
);
export const setupDone = conflict(
  'An administrator exists already. Sign in, or create a password reset link: `modelgate people reset-link EMAIL`.',
);
export const emailTaken = errorsOf('email_taken')(
  'email is already in use. Sign in with it, or use another address.',
  {
    param: 'email',
  },
);
export const otherEmail = errorsOf('invalid_value')(
  'email does not match this invitation. Use the invited address, or ask for another invitation.',
  { param: 'email' },
);
export const mailIsOff = errorsOf('not_allowed')(
  'This gateway sends no email. Ask an owner of your account or an administrator for a link.',
);
export const signUpByMail = errorsOf('not_allowed')(
  'Confirm your email address first: POST /console/api/sign-up/mail sends you a link.',
);
export const signUpClosed = errorsOf('not_allowed')(
  'Sign-up is closed. Ask an owner of your account or an administrator for an invitation.',
);

export const roleTooHigh = (role: Role, own: Role): GatewayError =>
  new GatewayError(
    'not_allowed',
    `role ${role} is above your own role, ${own}. Ask an administrator.`,
    { param: 'role' },
  );

export const noSuchMembership = notFound(
  'You have no account with this id. The session lists your accounts.',
);
export const alreadyMember = conflict(
  'The person is in this account already. Change their role there.',
);
export const furtherStays = conflict(
  'Only the main account of a person can be changed. Remove the person from this account, and invite them to the other account.',
);
export const onlyAccount = conflict('This is your only account, so you cannot leave it.');
export const administratorStays = errorsOf('not_allowed')(
  'An administrator cannot leave their main account. Ask another administrator to change your role first.',
);
export const notForFurtherAccounts = errorsOf('not_allowed')(
  'A person can be an administrator only in their main account. An administrator can change the role there.',
);
export const tooManyAccounts = (most: number): GatewayError =>
  new GatewayError('conflict', `You are in ${most} accounts, which is the limit. Leave one first.`);
/**
 * The error when an owner requests a password reset link for a person who has other accounts, which
 * the link would also open.
 */
export const sharedPerson = errorsOf('not_allowed')(
  'This person is in other accounts too, so only an administrator may create a reset link. The person can also reset the password by email, if this gateway sends email.',
);
export const noSuchPerson = notFound(
  'There is no person with this id. List the people to find the right id.',
);
export const noSuchInvitation = notFound(
  'There is no open invitation with this id. List the invitations to find the right id.',
);
export const noSuchSession = notFound(
  'There is no session with this id. List your sessions to find the right id.',
);

export const lastOfRole = (role: 'owner' | 'administrator'): GatewayError =>
  new GatewayError(
    'last_of_role',
    role === 'administrator'
      ? 'This is the last administrator. Make someone else an administrator first.'
      : 'This is the last owner of the account. Make someone else an owner first.',
  );

export const tooManyInvitations = (most: number): GatewayError =>
  new GatewayError(
    'conflict',
    `The account has ${most} open invitations, which is the limit. Revoke some first.`,
  );

export const tooManyInvitationLetters = (most: number): GatewayError =>
  new GatewayError(
    'conflict',
    `The account has sent ${most} invitations by email in 24 hours, which is the limit. Try again tomorrow, or create the invitation without an email address and pass on its link.`,
  );

/** The error when people use on themselves a request that is for other people's credentials. */
export const ownCredentials = errorsOf('not_allowed')(
  'You cannot create a reset link for yourself, or remove your own authenticator, with this request. Use your profile page. If you lost your password or authenticator, the operator can run `modelgate people reset-link EMAIL`.',
);

export const personAboveOwnRole = (role: Role): GatewayError =>
  new GatewayError(
    'not_allowed',
    `This person's role, ${role}, is above yours. Ask an administrator.`,
  );

export const totpIsOn = conflict(
  'An authenticator is set up already. Remove it before you set up a new one.',
);
export const totpIsOff = conflict('No authenticator is set up. Set one up first.');
