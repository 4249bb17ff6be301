// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of the file.
import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateKey } from '../accounts/api-key.ts';
import { loadCatalogue } from '../catalogue/load-catalogue.ts';
import { systemClock } from '../clock.ts';
import { changedFile } from '../config/file.fixture.ts';
import { Secret } from '../config/secret.ts';
import { nano } from '../money/amount.ts';
import { banner } from './banner.ts';
import { configFor, newFolder, removeFolders } from './gateway.fixture.ts';
import { check } from './inspect.ts';
import { ADMIN_TOKEN_FILE, loadAdminToken } from './secrets.ts';

afterAll(removeFolders);

/** Returns the text that a command prints. */
async function printed(run: (print: (text: string) => void) => Promise<number>): Promise<string> {
  let text = '';
  expect(await run((piece) => (text += piece))).toBe(0);
  return text;
}

describe('check', () => {
  test('check names the file and its models, as a sentence or as JSON', async () => {
    const sentence = await printed((print) =>
      check({ configPath: null, json: false }, systemClock, print),
    );
    expect(sentence).toContain('modelgate.yaml is valid: 9 models (gen-opus-4-8, ');
    expect(sentence).toContain('`modelgate config import` stores this file');
    const json = await printed((print) =>
      check({ configPath: null, json: true }, systemClock, print),
    );
    expect(JSON.parse(json)).toMatchObject({ models: expect.arrayContaining(['img-3']) });
  });

  test('check counts the models of a file in words', async () => {
    const file = join(newFolder(), 'none.yaml');
    writeFileSync(file, 'upstreams: {}\nmodels: {}\n');
    const shown = await printed((print) =>
      check({ configPath: file, json: false }, systemClock, print),
    );
    expect(shown).toBe(`${file} is valid: it has no models.\n`);
  });

  test('check accepts a file with only start settings if the database has the others', async () => {
    const file = join(newFolder(), 'start.yaml');
    writeFileSync(file, 'config: database\nlisten: 127.0.0.1:8080\n');
    const shown = (json: boolean) =>
      printed((print) => check({ configPath: file, json }, systemClock, print));
    expect(await shown(false)).toBe(
      `${file} is valid. It has only start settings; the other settings are in the database.\n`,
    );
    expect(JSON.parse(await shown(true))).toMatchObject({ file, models: [] });
    writeFileSync(file, 'config: database\nlistn: 127.0.0.1:8080\n');
    expect(shown(false)).rejects.toThrow('listn: unknown key; did you mean "listen"?');
  });

  test('check warns of a price below its cost', async () => {
    const file = join(newFolder(), 'own.yaml');
    const price = 'price: { input: "5.00", output: "25.00" }';
    const cost = 'cost: { input: "6.00", output: "20.00" }';
    writeFileSync(file, changedFile(price, `${price}\n        ${cost}`));
    const text = await printed((print) =>
      check({ configPath: file, json: false }, systemClock, print),
    );
    expect(text).toEndWith(
      'Warning: gen-x on direct sells input for 0.000005000000, below its cost of 0.000006000000.\n',
    );
  });

  test('check warns of a price of 0, and of more output than the context window holds', async () => {
    const file = join(newFolder(), 'own.yaml');
    const shown = async (piece: string, by: string) => {
      writeFileSync(file, changedFile(piece, by));
      const text = await printed((print) =>
        check({ configPath: file, json: false }, systemClock, print),
      );
      return text.slice(text.indexOf('\n') + 1);
    };
    expect(await shown('input: "5.00", output: "25.00"', 'input: "0", output: "25.00"')).toEndWith(
      'Warning: models.gen-x.channels.direct.price.input is 0, so it is free.\n',
    );
    expect(await shown('max_output: 100', 'max_output: 1001')).toEndWith(
      'Warning: models.gen-x.max_output is 1001, more than the context window of 1000 tokens holds.\n',
    );
  });

  test('check warns of a price whose review is due', async () => {
    const file = join(newFolder(), 'own.yaml');
    const price = 'price: { input: "5.00", output: "25.00"';
    writeFileSync(file, changedFile(price, `${price}, source: the price page, review: 2020-01-31`));
    const text = await printed((print) =>
      check({ configPath: file, json: false }, systemClock, print),
    );
    expect(text).toEndWith(
      'Warning: the price of gen-x on direct was to be reviewed by 2020-01-31. Check the price against the price page and set a new date.\n',
    );
  });

  test('check warns of an upstream whose host name is unknown', async () => {
    const file = join(newFolder(), 'own.yaml');
    const other = '{ protocol: openai, base_url: "https://no-such-host.invalid/v1", api_key: k }';
    writeFileSync(file, changedFile('{ builtin:', `{ other: ${other}, builtin:`));
    const text = await printed((print) =>
      check({ configPath: file, json: false }, systemClock, print),
    );
    expect(text).toEndWith(
      'Warning: upstream "other": no address is known for no-such-host.invalid.\n',
    );
  });

  test('check fails on a bad file with its line', async () => {
    const file = join(newFolder(), 'bad.yaml');
    writeFileSync(file, 'listen: 1.2.3.4:80\nmodel: {}\n');
    const checked = check({ configPath: file, json: false }, systemClock, () => {});
    expect(checked).rejects.toThrow(/bad\.yaml:2: model: unknown key; did you mean "models"\?/);
  });

  test('check fails on keys that decrypt nothing', async () => {
    const file = join(newFolder(), 'keys.yaml');
    writeFileSync(
      file,
      'secrets: { key: a-password }\nbackups: { key: another }\nupstreams: {}\nmodels: {}\n',
    );
    const checked = check({ configPath: file, json: false }, systemClock, () => {});
    const problem = 'is not 32 bytes in base64; `openssl rand -base64 32` makes one';
    await expect(checked).rejects.toThrow(
      `keys.yaml:1: secrets.key: key 1 of secrets.key ${problem}`,
    );
    await expect(checked).rejects.toThrow(
      `keys.yaml:2: backups.key: key 1 of backups.key ${problem}`,
    );
  });
});

describe("the administrator's token", () => {
  test('is created once, stored, and readable by its owner only', () => {
    const config = configFor(join(newFolder(), 'not-yet-there'));
    const token = loadAdminToken(config, systemClock).reveal();
    expect(token).toMatch(/^mga_[\w-]{43}$/);
    const path = join(config.data_dir, ADMIN_TOKEN_FILE);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8')).toBe(`${token}\n`);
    expect(loadAdminToken(config, systemClock).reveal()).toBe(token);
  });

  test('from the environment has priority and is not stored', () => {
    const folder = newFolder();
    const config = configFor(folder, { MODELGATE_ADMIN_TOKEN: 'token-from-outside' });
    expect(loadAdminToken(config, systemClock).reveal()).toBe('token-from-outside');
    expect(() => statSync(join(folder, ADMIN_TOKEN_FILE))).toThrow();
  });

  test('refuses an empty or broken file and says what to do', () => {
    const folder = newFolder();
    writeFileSync(join(folder, ADMIN_TOKEN_FILE), '\n');
    expect(() => loadAdminToken(configFor(folder), systemClock)).toThrow(/Delete the file/);
  });

  test('fails if the folder cannot be written', () => {
    const folder = newFolder();
    mkdirSync(join(folder, ADMIN_TOKEN_FILE));
    expect(() => loadAdminToken(configFor(folder), systemClock)).toThrow();
  });
});

describe('the banner', () => {
  const catalogue = loadCatalogue(configFor(newFolder()), 0);
  const key = new Secret('sk-mg-shown-once');
  const credit = { amount: nano(10_000_000_000n), currency: 'USD', source: 'demo' } as const;
  const first = { accountId: 'acc_1', key, given: false, credit };

  test('of a first start shows the key, its credit and a curl command', () => {
    const text = banner('http://127.0.0.1:8787', catalogue, first, null);
    expect(text).toContain('base URL http://127.0.0.1:8787/v2');
    expect(text).toContain('10.000000000 USD of demo credit');
    const line = text.split('\n').find((each) => each.includes('curl ')) ?? '';
    expect(line).toContain('Authorization: Bearer sk-mg-shown-once');
    expect(JSON.parse(/-d '(.*)'$/.exec(line)?.[1] ?? '')).toMatchObject({ model: 'gen-opus-4-8' });
  });

  test('of a first start without demo credit says how to add money', () => {
    const text = banner('http://x', catalogue, { ...first, credit: null }, null);
    expect(text).toContain('modelgate account credit acc_1 10 USD --reason "first credit"\n');
    expect(text).not.toContain('demo credit');
  });

  test('of a first start masks a key from the environment', () => {
    const given = generateKey(systemClock);
    const text = banner('http://x', catalogue, { ...first, key: given, given: true }, null);
    const ends = `${given.reveal().slice(0, 10)}...${given.reveal().slice(-4)}`;
    expect(text).toContain(`the one in MODELGATE_INIT_KEY: ${ends}\n`);
    expect(text).toContain('-H "Authorization: Bearer $KEY" ');
    expect(text).not.toContain(given.reveal());
  });

  test('of a later start shows no key, and where the console is', () => {
    const text = banner('http://x', catalogue, null, null);
    expect(text).not.toMatch(/sk-mg-|curl|token=/);
    expect(text).toContain('http://x/console\n');
  });

  test('shows the setup link while there is no administrator', () => {
    const url = 'http://x/console/setup#token=abc';
    const text = banner('http://x', catalogue, null, url);
    expect(text).toContain(
      `There is no administrator yet. This one-time link creates one:\n    ${url}\n`,
    );
  });

  test('names example prices only', () => {
    const line = banner('http://x', catalogue, null, null)
      .split('\n')
      .find((each) => each.includes('Example prices'));
    expect(line).toContain('gen-opus-4-8 (stable, economical)');
    expect(line).toContain('gen-v4-pro (economical)');
    expect(line).toContain('img-2-pro (direct, economical)');
  });
});
