import { expect, test } from 'bun:test';
import { GatewayError } from '../../errors.ts';
import { geminiErrorBody } from './errors.ts';

const detailsOf = (error: GatewayError) => JSON.parse(geminiErrorBody(error)).error.details;
const type = (name: string) => `type.googleapis.com/google.rpc.${name}`;

test('an error says in its body how long to wait, where Google clients read it', () => {
  const limited = new GatewayError('rate_limit_exceeded', 'Too many.', { retryAfterSeconds: 7 });
  expect(detailsOf(limited)).toEqual([
    { '@type': type('ErrorInfo'), reason: 'rate_limit_exceeded', domain: 'modelgate' },
    { '@type': type('RetryInfo'), retryDelay: '7s' },
  ]);
  const never = { retryAfterSeconds: 60, retryable: false } as const;
  expect(detailsOf(new GatewayError('rate_limit_exceeded', 'Too long.', never))).toHaveLength(1);
});

test('an error has the field that is wrong, and its further fields as strings', () => {
  const extra = { affordable_max_tokens: 12 };
  const unpaid = new GatewayError('insufficient_balance', 'Top up.', { param: 'model', extra });
  expect(detailsOf(unpaid)).toEqual([
    {
      '@type': type('ErrorInfo'),
      ...{ reason: 'insufficient_balance', domain: 'modelgate' },
      metadata: { param: 'model', affordable_max_tokens: '12' },
    },
  ]);
});

test('names a prompt that is too long as Google does, once', () => {
  const said = (message: string) =>
    JSON.parse(geminiErrorBody(new GatewayError('context_length_exceeded', message))).error.message;
  const google = 'The input token count (9) exceeds the maximum number of tokens allowed (8).';
  expect(said(google)).toBe(google);
  expect(said('prompt is too long: 9 tokens > 8 maximum')).toBe(
    'The input token count exceeds the maximum number of tokens allowed. prompt is too long: 9 tokens > 8 maximum',
  );
});
