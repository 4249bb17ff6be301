import { describe, expect, test } from 'bun:test';
import {
  isBaseUrl,
  isPrivateHost,
  parseListen,
  postgresServers,
  withListenParts,
} from './address.ts';

describe('where to listen', () => {
  test.each([
    ['127.0.0.1:8787', '127.0.0.1', 8787],
    ['localhost:0', 'localhost', 0],
    ['[::1]:65535', '::1', 65_535],
  ])('%s', (text, host, port) => {
    expect(parseListen(text)).toEqual({ host, port });
  });

  test.each([
    '8787',
    ':8787',
    'h:',
    'h:65536',
    'h:1e3',
    '::1:80',
    'a b:80',
    'http://h:80',
    'h:80/',
  ])('rejects the address %j', (text) => {
    expect(parseListen(text)).toBeNull();
  });

  test('either half can be replaced', () => {
    expect(withListenParts('a:1', 'b', null)).toBe('b:1');
    expect(withListenParts('[::1]:1', null, '2')).toBe('[::1]:2');
    expect(withListenParts('a:1', '::', '2')).toBe('[::]:2');
    expect(withListenParts('a:1', '[::]', null)).toBe('[::]:1');
  });
});

test('a base address is one that paths can be appended to', () => {
  for (const url of ['http://h', 'https://h.example:1/v1/']) expect(isBaseUrl(url)).toBe(true);
  for (const url of [
    'h',
    'http:h',
    'https://',
    'file:///x',
    'https://u@h',
    'https://h/?',
    'https://h/#',
  ])
    expect(isBaseUrl(url)).toBe(false);
});

describe('private hosts', () => {
  test.each([
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    'db',
    'x.internal',
    'printer.local',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.9.9.9',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '192.0.0.8',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[::]',
    '[::1]',
    '[fd00::1]',
    '[fe80::1]',
    '[ff02::1]',
    '[::ffff:7f00:1]',
    '[::ffff:a00:1]',
    '[64:ff9b::a00:1]',
  ])('%s is private', (host) => {
    expect(isPrivateHost(host)).toBe(true);
  });

  test.each([
    'api.example.com',
    '8.8.8.8',
    '100.63.0.1',
    '100.128.0.1',
    '172.15.0.1',
    '172.32.0.1',
    '192.0.2.1',
    '[2606:4700::1]',
    '[::ffff:808:808]',
  ])('%s is not private', (host) => {
    expect(isPrivateHost(host)).toBe(false);
  });

  test('are recognized in every spelling that URL accepts', () => {
    for (const url of [
      'http://127.1',
      'http://0x7f000001',
      'http://2130706433',
      'http://[::ffff:127.0.0.1]',
    ])
      expect(isPrivateHost(new URL(url).hostname)).toBe(true);
  });
});

test.each([
  'http://[::127.0.0.1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001::7f00:1]/',
  'http://[2001:db8::1]/',
  'http://[fec0::1]/',
  'http://gateway.home.arpa/',
])('%s leads into a private network indirectly', (url) => {
  expect(isPrivateHost(new URL(url).hostname)).toBe(true);
});

test.each([
  'http://[2606:4700::1111]/',
  'http://[2a00:1450:4001::5]/',
  'http://[2001:4860:4860::8888]/',
])('%s is public', (url) => {
  expect(isPrivateHost(new URL(url).hostname)).toBe(false);
});

describe('the servers of a database', () => {
  test.each([
    ['postgres://u:p@one/db', ['postgres://u:p@one/db']],
    ['postgresql://one', ['postgresql://one']],
    ['postgres:///db?host=/run/postgresql', ['postgres:///db?host=/run/postgresql']],
    ['postgres://u:a%2Cb%40@[::1]:5433/db', ['postgres://u:a%2Cb%40@[::1]:5433/db']],
    [
      'postgres://u:p@one:5432,two:5433/db?sslmode=require&target_session_attrs=read-write',
      ['postgres://u:p@one:5432/db?sslmode=require', 'postgres://u:p@two:5433/db?sslmode=require'],
    ],
    ['postgres://one/db?target_session_attrs=primary', ['postgres://one/db']],
  ])('%s leads to each server', (address, servers) => {
    expect(postgresServers(address)).toEqual(servers);
  });

  test.each([
    'mysql://one/db',
    'postgres://',
    'postgres://user:5%@one/db',
    'postgres://one,/db',
    'postgres://one:port/db',
    'postgres://one,two:99999/db',
    'postgres://one,two/db?target_session_attrs=standby',
    // The password 1/2 or 1#2, which would name another server.
    'postgres://u:1/2@one/db',
    'postgres://u:1#2@one/db',
    `postgres://${Array.from({ length: 10 }, () => 'one').join(',')}/db`,
  ])('%s is refused', (address) => {
    expect(postgresServers(address)).toBeNull();
  });
});
