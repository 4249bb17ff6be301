/**
 * The outcome of a delivery to a webhook. It has a code, which the console translates, and an
 * English sentence for other clients. The store contains the code with its detail.
 */
import { failureWords, POST_FAILURES } from '../../upstreams/public-post.ts';

export const OUTCOMES = ['answered', ...POST_FAILURES, 'removed', 'secret_unreadable'] as const;
export type OutcomeCode = (typeof OUTCOMES)[number];

/**
 * `detail` is the HTTP status of an answer, or the reason why a certificate is invalid; empty for
 * other codes.
 */
export type WebhookOutcome = { readonly code: OutcomeCode; readonly detail: string };

export const outcome = (code: OutcomeCode, detail = ''): WebhookOutcome => ({ code, detail });

export function outcomeWords({ code, detail }: WebhookOutcome): string {
  switch (code) {
    case 'answered':
      return `The receiver answered ${detail}.`;
    case 'removed':
      return 'The webhook was removed.';
    case 'secret_unreadable':
      return 'The secret of the webhook was encrypted with another console key. Rotate the secret.';
    default:
      return failureWords(code, detail);
  }
}

export const outcomeText = ({ code, detail }: WebhookOutcome): string =>
  detail === '' ? code : `${code} ${detail}`;

/**
 * Reads a stored outcome. Returns null before the first attempt, and for a sentence that an earlier
 * version stored.
 */
export function outcomeOf(stored: string): WebhookOutcome | null {
  const [, word, detail = ''] = /^(\w+)(?: (\S+))?$/.exec(stored) ?? [];
  const code = OUTCOMES.find((each) => each === word);
  return code === undefined ? null : { code, detail };
}
