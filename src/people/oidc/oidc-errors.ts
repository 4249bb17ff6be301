/**
 * The errors of a sign-in through an identity provider. The console has a translation of each
 * reason.
 */
import { GatewayError } from '../../errors.ts';

/** The reasons why a sign-in can fail. Each text also says what the person can do. */
const REASONS = {
  not_configured: 'Sign-in through an identity provider is not set up here.',
  canceled: 'The sign-in was canceled at the identity provider. Try again.',
  not_started:
    'This sign-in was not started in this browser, or it took longer than 10 minutes. Start it again.',
  refused:
    'The identity provider refused the sign-in. Try again; if that fails, ask the operator of this gateway.',
  issuer:
    "The issuer of the answer is not the configured identity provider. The operator has to correct `console.oidc.issuer`, which must equal the provider's own issuer.",
  nonce: 'The answer of the identity provider belongs to another sign-in. Start the sign-in again.',
  audience:
    'The answer of the identity provider is for another application. The operator has to correct `console.oidc.client_id`.',
  clock:
    "The identity provider's answer has expired or is not valid yet. Try again; if that fails, the operator has to compare the clocks of the gateway and of the identity provider.",
  signature:
    'The signature of the answer was not made with a key of the identity provider. Try again; if that fails, ask the operator of this gateway.',
  email_missing:
    'The identity provider sent no email address. The operator has to allow the scope or claim "email" for this application.',
  email_not_verified:
    'The identity provider has not verified your email address. Verify it there, then sign in again.',
  domain: 'Email addresses of your domain may not sign in here. Use another account.',
  no_role:
    'Your account at the identity provider has no role on this gateway. Ask the administrator of the identity provider for access.',
  unknown_person:
    'No person on this gateway has your email address. Ask an owner of your account or an administrator for an invitation.',
  removed: 'You were removed from this gateway. Ask an administrator for an invitation.',
  other_identity:
    'Another account at the identity provider is linked to this email address. Ask an administrator.',
} as const;
export type OidcReason = keyof typeof REASONS;

export const oidcFailed = (reason: OidcReason, cause?: unknown): GatewayError =>
  new GatewayError('oidc_failed', REASONS[reason], { extra: { reason }, cause });

export const oidcUnavailable = (cause: unknown): GatewayError =>
  new GatewayError(
    'oidc_unavailable',
    'The identity provider could not be reached, or its answer was invalid. Try again in a minute, or sign in another way.',
    { cause },
  );
