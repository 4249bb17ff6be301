import { expect, test } from 'bun:test';
import { mailSettings } from './mail-settings.ts';

const faults = (given: object): readonly string[] =>
  mailSettings()
    .safeParse(given)
    .error?.issues.map(({ path, message }) => `${String(path[0])} ${message}`) ?? [];
const GOOD = { host: 'smtp.example.com', from: 'gateway@example.com' };

test('email is off by default, and needs a sender with a host', () => {
  expect(mailSettings().parse({})).toMatchObject({ host: null, port: 587, tls: 'starttls' });
  expect(faults(GOOD)).toEqual([]);
  expect(faults({ host: GOOD.host })).toEqual(['from is missing: email needs a sender']);
});

test('user and password come together, and never unencrypted over a public network', () => {
  const login = { user: 'gateway', password: 'secret of mail' };
  expect(faults({ ...GOOD, user: 'gateway' })).toEqual([
    'password is missing: `user` is set and needs a password',
  ]);
  expect(faults({ ...GOOD, ...login })).toEqual([]);
  expect(faults({ ...GOOD, ...login, tls: 'none' })).toEqual([
    'tls would send the password unencrypted; write starttls or implicit',
  ]);
  expect(faults({ ...GOOD, ...login, tls: 'none', host: '127.0.0.1' })).toEqual([]);
  expect(faults({ ...GOOD, host: 'smtp.example.com\r\nRCPT' })).toHaveLength(1);
});
