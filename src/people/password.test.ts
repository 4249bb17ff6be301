import { describe, expect, test } from 'bun:test';
import { asGatewayError } from '../errors.ts';
import { MAX_EMAIL_CHARS, normalizedEmail } from './email.ts';
import { MAX_PASSWORD_CHARS, PasswordHasher, requireGoodPassword } from './password.ts';
import { CHEAP } from './people.fixture.ts';
import { FREE_GUESSES } from './sign-in-guard.ts';

const codeOf = (work: () => unknown): string => {
  try {
    work();
    return 'fine';
  } catch (thrown) {
    return asGatewayError(thrown).code;
  }
};
const judged = (password: string): string =>
  codeOf(() => requireGoodPassword(password, 'ada.lovelace@example.com', 'password'));

describe('a password', () => {
  test('of ten characters without a pattern is accepted, in any script', () => {
    for (const password of [
      'eleven purple tractors',
      'k9$Tr!w2zQ',
      '正しい馬電池ホッチキス',
      'пароль из семи слов',
      '🦊🐙🪐🧲🎻🪁🥨🧊🛶🪗',
      'x7'.repeat(3) + 'correct horse '.repeat(70).slice(0, MAX_PASSWORD_CHARS - 6),
    ]) {
      expect([password, judged(password)]).toEqual([password, 'fine']);
    }
  });

  test('is refused when short, too long, a pattern, common, or the own email address', () => {
    for (const password of [
      '',
      'short',
      'nine char',
      '🦊🐙🪐🧲🎻',
      'a'.repeat(MAX_PASSWORD_CHARS + 1),
      'aaaaaaaaaaaa',
      'abababababab',
      '1234567890',
      '0987654321',
      'abcdefghijkl',
      'Password123',
      'P@ssw0rd!!!x'.replace('@', 'a').replace('0', 'o'),
      'Modelgate2026',
      'qwertyuiop12',
      'ada.lovelace@example.com',
      'ADA.Lovelace1',
    ]) {
      expect([password, judged(password)]).toEqual([password, 'weak_password']);
    }
  });
});

describe('a password hash', () => {
  test('is argon2id, and matches every Unicode composition', async () => {
    const hasher = new PasswordHasher();
    const hash = await hasher.hash('caf\u00e9 au lait, s\u2019il vous pla\u00eet');
    expect(hash).toStartWith('$argon2id$');
    expect(await hasher.verify('cafe\u0301 au lait, s\u2019il vous plai\u0302t', hash)).toBe(true);
    expect(await hasher.verify('cafe au lait', hash)).toBe(false);
  });

  test('depends on the last character of a long password', async () => {
    const hasher = new PasswordHasher();
    const long = 'x'.repeat(MAX_PASSWORD_CHARS - 1);
    const hash = await hasher.hash(`${long}a`);
    expect(await hasher.verify(`${long}a`, hash)).toBe(true);
    expect(await hasher.verify(`${long}b`, hash)).toBe(false);
  });

  test('is refused when too many wait', async () => {
    const hasher = new PasswordHasher(CHEAP);
    const work = Array.from({ length: 40 }, () =>
      hasher.hash('eleven purple tractors').then(
        () => 'done',
        (thrown: unknown) => asGatewayError(thrown).code,
      ),
    );
    const results = await Promise.all(work);
    expect(results.filter((each) => each === 'done')).toHaveLength(34);
    expect(results.filter((each) => each === 'rate_limit_exceeded')).toHaveLength(6);
    expect(await hasher.verify('eleven purple tractors', await hasher.hash('another'))).toBe(false);
  });
});

test('checks of one person do not keep others waiting', async () => {
  const hasher = new PasswordHasher(CHEAP);
  const password = 'eleven purple tractors';
  const [busy, other] = [await hasher.hash(password), await hasher.hash(password)];
  const work = Array.from({ length: 40 }, () =>
    hasher.verify(password, busy).catch(asGatewayError),
  );
  expect(await hasher.verify(password, other)).toBe(true);
  const results = await Promise.all(work);
  expect(results.filter((each) => each === true)).toHaveLength(FREE_GUESSES.email);
  expect(results.filter((each) => each !== true)[0]).toMatchObject({ code: 'rate_limit_exceeded' });
  expect(await hasher.verify(password, busy)).toBe(true);
});

test('normalizes an email address to lower case, or refuses it', () => {
  expect(normalizedEmail('  Ada.Lovelace@Example.COM ')).toBe('ada.lovelace@example.com');
  const long = `${'a'.repeat(64)}@${'b'.repeat(MAX_EMAIL_CHARS)}.com`;
  for (const text of ['', 'ada', 'ada@', '@example.com', 'a b@example.com', 'ada@example', long]) {
    expect([text, codeOf(() => normalizedEmail(text))]).toEqual([text, 'invalid_value']);
  }
});
