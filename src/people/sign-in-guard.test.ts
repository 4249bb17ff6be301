import { expect, test } from 'bun:test';
import { manualClock } from '../clock.fixture.ts';
import { asGatewayError, type GatewayError } from '../errors.ts';
import { FIRST_PAUSE_MS, FREE_GUESSES, LONGEST_PAUSE_MS, SignInGuard } from './sign-in-guard.ts';

const guardAt = () => {
  const clock = manualClock();
  return { clock, guard: new SignInGuard(clock) };
};

function refusal(work: () => unknown): GatewayError | null {
  try {
    work();
    return null;
  } catch (thrown) {
    return asGatewayError(thrown);
  }
}

test('doubles the pauses of an email address, up to 15 minutes', () => {
  const { clock, guard } = guardAt();
  for (let free = 1; free < FREE_GUESSES.email; free++) {
    expect(guard.take('bob', `192.0.2.${free}`).pauseMs).toBe(0);
  }
  const pauses: number[] = [];
  for (let each = 0; each < 10; each++) {
    const { pauseMs, isFirstPause } = guard.take('bob', `198.51.100.${each}`);
    expect(isFirstPause).toBe(each === 0);
    pauses.push(pauseMs);
    clock.advance(pauseMs - 1);
    expect(refusal(() => guard.take('bob', null))?.code).toBe('rate_limit_exceeded');
    clock.advance(1);
  }
  expect(pauses.slice(0, 3)).toEqual([FIRST_PAUSE_MS, FIRST_PAUSE_MS * 2, FIRST_PAUSE_MS * 4]);
  expect(pauses.slice(-2)).toEqual([LONGEST_PAUSE_MS, LONGEST_PAUSE_MS]);
});

test('pauses a network that tries many people, and nobody else', () => {
  const { guard } = guardAt();
  for (let each = 0; each < FREE_GUESSES.address; each++) guard.take(`user${each}`, '192.0.2.1');
  expect(refusal(() => guard.take('bob', '192.0.2.1'))?.code).toBe('rate_limit_exceeded');
  expect(refusal(() => guard.take('bob', '192.0.2.2'))).toBeNull();
});

test('counts guesses before they are judged', () => {
  const { guard } = guardAt();
  const results = Array.from({ length: 50 }, () => refusal(() => guard.take('bob', null)));
  expect(results.filter((each) => each === null)).toHaveLength(FREE_GUESSES.email);
});

test('resets the email address on a correct guess, and gives it back to the network', () => {
  const { guard } = guardAt();
  for (let each = 0; each < 3 * FREE_GUESSES.address; each++) guard.take('bob', 'home').right();
  for (let each = 1; each < FREE_GUESSES.email; each++) guard.take('bob', 'home');
  guard.take('bob', 'home').right();
  expect(refusal(() => guard.take('bob', 'home'))).toBeNull();
});

test('starts over after an hour', () => {
  const { clock, guard } = guardAt();
  for (let each = 0; each < FREE_GUESSES.email; each++) guard.take('bob', null);
  clock.advance(3_600_001);
  expect(guard.take('bob', null).pauseMs).toBe(0);
});

test('reports the whole pause, and asks clients to wait at most a minute', () => {
  const { clock, guard } = guardAt();
  for (let each = 0; each < 12; each++) clock.advance(guard.take('bob', null).pauseMs);
  guard.take('bob', null);
  const error = refusal(() => guard.take('bob', null));
  expect([error?.retryAfterSeconds, error?.extra['retry_after_seconds']]).toEqual([60, 900]);
  expect(error?.message).toContain('15 minutes');
});

test('counts a known device apart from everybody else, with the same pauses', () => {
  const { guard } = guardAt();
  const onDevice = () => refusal(() => guard.take('bob', '192.0.2.1', 'laptop'))?.code;
  for (let each = 0; each < FREE_GUESSES.address; each++) {
    refusal(() => guard.take('bob', '192.0.2.1'));
  }
  expect(refusal(() => guard.take('bob', null))?.code).toBe('rate_limit_exceeded');
  for (let each = 0; each < FREE_GUESSES.email; each++) expect(onDevice()).toBeUndefined();
  expect(onDevice()).toBe('rate_limit_exceeded');
  expect(refusal(() => guard.take('bob', '192.0.2.1', 'phone'))).toBeNull();
});

test('gives back an unjudged guess, and keeps the earlier ones', () => {
  const { guard } = guardAt();
  for (let each = 1; each < FREE_GUESSES.email; each++) guard.take('bob', 'home');
  // `giveBack` must undo one guess, not reset the count. Otherwise, guesses would be unlimited
  // while the hasher is overloaded.
  for (let each = 0; each < 3; each++) guard.take('bob', 'home').giveBack();
  expect(guard.take('bob', 'home').pauseMs).toBe(FIRST_PAUSE_MS);
  expect(refusal(() => guard.take('bob', 'home'))?.code).toBe('rate_limit_exceeded');
});

test('keeps the pause that concurrent wrong guesses began', () => {
  const { guard } = guardAt();
  const own = guard.take('eve', 'there');
  for (let each = 0; each < FREE_GUESSES.address; each++) {
    if (refusal(() => guard.take(`user${each}`, 'there')) !== null) break;
  }
  own.right();
  expect(refusal(() => guard.take('bob', 'there'))?.code).toBe('rate_limit_exceeded');
});

test('gives concurrent correct guesses back to the network', () => {
  const { guard } = guardAt();
  const at = (each: number) => guard.take(`user${each}`, 'office');
  const taken = Array.from({ length: FREE_GUESSES.address - 1 }, (_, each) => at(each));
  for (const guess of taken) guess.right();
  for (let each = 1; each < FREE_GUESSES.address; each++) {
    expect(refusal(() => at(each))).toBeNull();
  }
});

test('treats an IPv6 /64 as one network', () => {
  const { guard } = guardAt();
  for (let each = 0; each < FREE_GUESSES.address; each++) {
    guard.take(`user${each}`, `2001:db8:0:7::${each.toString(16)}`);
  }
  const from = (address: string) => refusal(() => guard.take('bob', address))?.code;
  expect(from('2001:db8::7:1:2:3:4')).toBe('rate_limit_exceeded');
  expect(from('2001:db8:0:8::1')).toBeUndefined();
});
