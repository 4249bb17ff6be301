import { expect, test } from 'bun:test';
import { Input } from '../command.ts';
import { type LatestRelease, upgradeCommand } from './upgrade-command.ts';

type Printed = { readonly json: unknown; readonly text: string };

/** Runs the command in version 1.2.3. The registry returns `latest` as its latest release. */
async function check(latest: LatestRelease, values = { check: true }): Promise<Printed | null> {
  let printed: Printed | null = null;
  const context = {
    clock: { nowMs: () => 0 } as never,
    connect: () => Promise.reject(new Error('calls no gateway')),
    print: (json: unknown, text: () => string) => {
      printed = { json, text: text() };
    },
  };
  const command = upgradeCommand('1.2.3', async () => latest);
  expect(await command.run(context, new Input([], values))).toBe(0);
  return printed;
}

test('compares versions by their parts', async () => {
  expect(await check({ version: '1.10.0' })).toEqual({
    json: { version: '1.2.3', latest: '1.10.0', is_newer: true },
    text: '1.10.0 is newer than this version, 1.2.3.',
  });
});

test.each(['1.2.3', '1.2.2', '1.2.0-beta.1'])(
  'says that the latest version runs if the registry has %s',
  async (version) => {
    expect(await check({ version })).toMatchObject({
      json: { is_newer: false },
      text: 'This version, 1.2.3, is the latest.',
    });
  },
);

test('says what failed', async () => {
  const unknown = check({ version: null, reason: '404 Not Found' });
  await expect(unknown).rejects.toThrow('which version of modelgate is the latest: 404 Not Found');
});

test('installs nothing: without --check it says how an upgrade is made', async () => {
  const plain = check({ version: '1.2.3' }, { check: false });
  await expect(plain).rejects.toThrow('Install the new version the way this one was installed');
});
