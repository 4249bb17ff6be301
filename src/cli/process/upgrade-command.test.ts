import { expect, test } from 'bun:test';
import { Input } from '../command.ts';
import { upgradeCommand } from './upgrade-command.ts';

type Printed = { readonly json: unknown; readonly text: string };

async function check(
  answer: Response | Error,
  values: object = { check: true },
): Promise<{ readonly asked: readonly string[]; readonly printed: Printed | null }> {
  const asked: string[] = [];
  const command = upgradeCommand({
    version: '1.2.3',
    fetch: async ({ url }) => {
      asked.push(url);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  let printed: Printed | null = null;
  const context = {
    clock: { nowMs: () => 0 } as never,
    connect: () => Promise.reject(new Error('calls no gateway')),
    print: (json: unknown, text: () => string) => {
      printed = { json, text: text() };
    },
  };
  expect(await command.run(context, new Input([], { ...values }))).toBe(0);
  return { asked, printed };
}

test('asks the registry once and compares versions by their parts', async () => {
  const { asked, printed } = await check(Response.json({ version: '1.10.0' }));
  expect(asked).toEqual(['https://registry.npmjs.org/modelgate/latest']);
  expect(printed?.json).toEqual({ version: '1.2.3', latest: '1.10.0', is_newer: true });
  expect(printed?.text).toContain('1.10.0 is newer than this version, 1.2.3.');
});

test('says that the latest version runs, also beside another registry', async () => {
  const values = { check: true, registry: 'http://npm.example/' };
  const { asked, printed } = await check(Response.json({ version: '1.2.3' }), values);
  expect(asked).toEqual(['http://npm.example/modelgate/latest']);
  expect(printed?.text).toBe('This version, 1.2.3, is the latest.');
});

test('says what failed', async () => {
  const address = 'https://registry.npmjs.org/modelgate/latest does not say which version';
  expect(check(new Response('', { status: 404 }))).rejects.toThrow(`${address}`);
  expect(check(new Response('<html>'))).rejects.toThrow('no version in its answer');
  expect(check(Response.json({ version: 7 }))).rejects.toThrow('no version in its answer');
  expect(check(new Error('Unable to connect'))).rejects.toThrow('latest: Unable to connect.');
});

test('installs nothing: without --check it says how an upgrade is made', async () => {
  expect(check(Response.json({}), {})).rejects.toThrow('Install the new version the way this one');
});
