import { expect, test } from 'bun:test';
import { manualClock } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import { codeOf } from './people-conformance.fixture.ts';
import { signInFailed } from './people-errors.ts';
import { SignIn } from './sign-in.ts';
import { FREE_GUESSES, SignInGuard } from './sign-in-guard.ts';

test('a guess that nobody had time to judge does not make those before it forgotten', async () => {
  const clock = manualClock();
  let isBusy = false;
  const signIn = new SignIn({
    clock,
    guard: new SignInGuard(clock),
    auth: {
      signIn: () =>
        Promise.reject(isBusy ? new GatewayError('rate_limit_exceeded', 'busy') : signInFailed()),
      secondStep: () => Promise.reject(new Error('nobody has a second step here')),
      signOut: () => Promise.reject(new Error('nobody is signed in here')),
    },
    sessions: { sweep: () => Promise.reject(new Error('nobody is signed in here')) },
    sql: { query: () => Promise.resolve([]), transaction: () => Promise.resolve([]) },
  });
  const visitor = { cookie: null, address: '192.0.2.1', userAgent: null };
  const guess = () => codeOf(signIn.withPassword('bob@example.com', 'a guess', visitor));
  for (let wrong = 1; wrong < FREE_GUESSES.email; wrong++) {
    expect(await guess()).toBe('sign_in_failed');
  }
  isBusy = true;
  expect(await guess()).toBe('rate_limit_exceeded');
  isBusy = false;
  expect(await guess()).toBe('sign_in_failed');
  expect(await guess()).toBe('rate_limit_exceeded');
});
