import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manualClock } from '../clock.fixture.ts';
import { systemClock } from '../clock.ts';
import { loadConfig } from '../config/config.ts';
import type { Environment } from '../config/document/references.ts';
import { changedFile, SMALL_FILE } from '../config/file.fixture.ts';
import type { Catalogue } from './catalogue.ts';
import {
  CHECK_EVERY_MS,
  LiveCatalogue,
  type LiveCatalogueOptions,
  SETTLE_MS,
} from './live-catalogue.ts';

const NOW_MS = 1_790_000_000_000;
const HIGHER_PRICE = changedFile('input: "5.00"', 'input: "6.00"');
const BAD = changedFile('maker: gen', 'makr: gen');

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'modelgate-live-'));
  file = join(folder, 'modelgate.yaml');
  writeFileSync(file, SMALL_FILE);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Opens a live catalogue for the file, and records everything that it reports. */
function open(options: Partial<LiveCatalogueOptions> = {}, env: Environment = {}) {
  const load = () => loadConfig({ path: file, env });
  const reloaded: Catalogue[] = [];
  const refused: string[] = [];
  const restart: string[] = [];
  const live = new LiveCatalogue({
    config: load(),
    load,
    clock: manualClock(NOW_MS),
    prepare: async () => {},
    onReloaded: (catalogue) => reloaded.push(catalogue),
    onRefused: (reason) => refused.push(String(reason)),
    onNeedsRestart: (setting) => restart.push(setting),
    ...options,
  });
  return { live, reloaded, refused, restart };
}

const inputPrice = (live: LiveCatalogue): string | null | undefined => {
  const card = live.current.models.get('gen-x')?.channels.get('direct')?.card;
  return card?.unit === 'token' ? card.listed.input : undefined;
};

describe('a reload', () => {
  test('makes a new snapshot current and leaves the old one unchanged', async () => {
    const { live, reloaded, refused } = open();
    const before = live.current;
    writeFileSync(file, HIGHER_PRICE);
    await live.reload();
    expect(inputPrice(live)).toBe('6.00');
    expect(live.current).not.toBe(before);
    expect(live.current.version).not.toBe(before.version);
    expect(before.models.get('gen-x')?.channels.get('direct')?.card).toMatchObject({
      listed: { input: '5.00' },
    });
    expect(reloaded).toEqual([live.current]);
    expect(refused).toEqual([]);
  });

  test('of an invalid file keeps the old snapshot and names the line', async () => {
    const { live, reloaded, refused } = open();
    const before = live.current;
    writeFileSync(file, BAD);
    await live.reload();
    expect(live.current).toBe(before);
    expect(reloaded).toEqual([]);
    expect(refused).toHaveLength(1);
    expect(refused[0]).toContain(
      `${file}:6: models.gen-x.makr: unknown key; did you mean "maker"?`,
    );

    writeFileSync(file, HIGHER_PRICE);
    await live.reload();
    expect(inputPrice(live)).toBe('6.00');
  });

  test('of a missing file keeps the old snapshot', async () => {
    const { live, refused } = open();
    unlinkSync(file);
    await live.reload();
    expect(inputPrice(live)).toBe('5.00');
    expect(refused[0]).toContain('cannot be read');
  });

  test('takes effect only after everything that depends on it is prepared', async () => {
    const prepared = Promise.withResolvers<void>();
    const { live } = open({ prepare: () => prepared.promise });
    writeFileSync(file, HIGHER_PRICE);
    const reload = live.reload();
    expect(inputPrice(live)).toBe('5.00');
    prepared.resolve();
    await reload;
    expect(inputPrice(live)).toBe('6.00');
  });

  test('whose preparation fails keeps the old snapshot', async () => {
    const { live, refused } = open({
      prepare: () => Promise.reject(new Error('the books are shut')),
    });
    writeFileSync(file, HIGHER_PRICE);
    await live.reload();
    expect(inputPrice(live)).toBe('5.00');
    expect(refused).toEqual(['Error: the books are shut']);
  });

  test('waits for the previous one', async () => {
    const order: string[] = [];
    const { live } = open({
      prepare: async (_config, { models }) => {
        order.push(`begin ${models.size}`);
        await Promise.resolve();
        order.push('end');
      },
    });
    await Promise.all([live.reload(), live.reload()]);
    expect(order).toEqual(['begin 2', 'end', 'begin 2', 'end']);
  });
});

describe('a change that needs a restart', () => {
  test.each([
    ['listen: 127.0.0.1:1', 'listen'],
    ['data_dir: ./elsewhere', 'data_dir'],
    ['database: postgres://u:pw@h/x', 'database'],
    ['public_url: http://x.example', 'public_url'],
    ['images: { store: local, url_ttl: 5m }', 'images'],
    ['limits: { drain: 1s }', 'limits'],
    ['log: { level: debug }', 'log'],
    ['trusted_proxies: 1', 'trusted_proxies'],
    ['backups: { every: 1h }', 'backups'],
    ['node_name: one', 'node_name'],
    [`console: { secret: ${'s'.repeat(32)} }`, 'console.secret'],
  ])('names the setting %s', async (line, setting) => {
    const { live, restart } = open();
    writeFileSync(file, `${line}\n${HIGHER_PRICE}`);
    await live.reload();
    expect(restart).toEqual([setting]);
    expect(inputPrice(live)).toBe('6.00');
  });

  test('is reported even if only a secret in it changed', async () => {
    writeFileSync(file, `database: postgres://u:one@h/x\n${SMALL_FILE}`);
    const { live, restart } = open();
    await live.reload();
    expect(restart).toEqual([]);
    writeFileSync(file, `database: postgres://u:two@h/x\n${SMALL_FILE}`);
    await live.reload();
    expect(restart).toEqual(['database']);
  });

  test('is reported for each other setting of the connection to PostgreSQL', async () => {
    const database = 'database: postgres://u:pw@h/x\n';
    writeFileSync(file, `${database}${SMALL_FILE}`);
    const { live, restart } = open();
    const direct = 'database_direct: postgres://u:pw@direct/x\n';
    const replica = 'database_replica: postgres://u:pw@replica/x\n';
    const others = `${direct}${replica}share_port: true\n`;
    writeFileSync(file, `${database}${others}${SMALL_FILE}`);
    await live.reload();
    expect(restart.toSorted()).toEqual(['database_direct', 'database_replica', 'share_port']);
  });

  test('excludes the other settings of the console', async () => {
    const { live, restart } = open();
    writeFileSync(file, `console: { sign_up: open }\n${SMALL_FILE}`);
    await live.reload();
    expect([restart, live.config.console.sign_up]).toEqual([[], 'open']);
  });

  test('excludes models, prices, rates, upstreams and the stream rule', async () => {
    const { live, restart, reloaded } = open();
    const other = changedFile(
      '{ protocol: builtin }',
      '{ protocol: builtin, tokens_per_second: 0 }',
      HIGHER_PRICE,
    );
    writeFileSync(
      file,
      `chat: { stream_default: never }\n${changedFile('"7.1000"', '"7.2"', other)}`,
    );
    await live.reload();
    expect(restart).toEqual([]);
    expect(reloaded).toHaveLength(1);
    expect(live.config.chat.stream_default).toBe('never');
    expect(live.current.fx.get('USD/CNY')?.scaled).toBe(720_000_000n);
  });
});

describe('the watcher', () => {
  /** Watches the file. The returned `report` resolves with the next reload or refusal. */
  function watched() {
    let report = Promise.withResolvers<string>();
    const { live } = open({
      clock: systemClock,
      onReloaded: () => report.resolve('reloaded'),
      onRefused: (reason) => report.resolve(String(reason)),
    });
    const watcher = live.watch();
    const after = async (change: () => void): Promise<string> => {
      report = Promise.withResolvers<string>();
      change();
      return await report.promise;
    };
    return { live, after, [Symbol.dispose]: watcher.stop };
  }

  test('reloads a file written in place', async () => {
    using gate = watched();
    expect(await gate.after(() => writeFileSync(file, HIGHER_PRICE))).toBe('reloaded');
    expect(inputPrice(gate.live)).toBe('6.00');
  });

  test('reloads a file replaced by renaming, as editors do, repeatedly', async () => {
    using gate = watched();
    const replace = (text: string) => (): void => {
      writeFileSync(join(folder, '.swp'), text);
      renameSync(join(folder, '.swp'), file);
    };
    expect(await gate.after(replace(HIGHER_PRICE))).toBe('reloaded');
    expect(inputPrice(gate.live)).toBe('6.00');
    expect(await gate.after(replace(SMALL_FILE))).toBe('reloaded');
    expect(inputPrice(gate.live)).toBe('5.00');
  });

  test('reloads when a symlink is switched, as container platforms do', async () => {
    const turn = (version: string, text: string): void => {
      writeFileSync(join(folder, version), text);
      symlinkSync(version, join(folder, '..data'));
      renameSync(join(folder, '..data'), file);
    };
    turn('v1', SMALL_FILE);
    using gate = watched();
    expect(await gate.after(() => turn('v2', HIGHER_PRICE))).toBe('reloaded');
    expect(inputPrice(gate.live)).toBe('6.00');
  });

  test('reports an invalid file, and the valid one that follows', async () => {
    using gate = watched();
    expect(await gate.after(() => writeFileSync(file, BAD))).toContain('unknown key');
    expect(inputPrice(gate.live)).toBe('5.00');
    expect(await gate.after(() => writeFileSync(file, HIGHER_PRICE))).toBe('reloaded');
    expect(inputPrice(gate.live)).toBe('6.00');
  });

  test('reloads when a folder behind a symlink is switched', async () => {
    const turn = (version: string, text: string): void => {
      mkdirSync(join(folder, version));
      writeFileSync(join(folder, version, 'modelgate.yaml'), text);
      symlinkSync(version, join(folder, '..data_tmp'));
      renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
    };
    turn('..v1', SMALL_FILE);
    unlinkSync(file);
    symlinkSync('..data/modelgate.yaml', file);
    using gate = watched();
    expect(await gate.after(() => turn('..v2', HIGHER_PRICE))).toBe('reloaded');
    expect(inputPrice(gate.live)).toBe('6.00');
  });

  test('reloads a file behind a symlink to another folder', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'modelgate-elsewhere-'));
    renameSync(file, join(elsewhere, 'modelgate.yaml'));
    symlinkSync(join(elsewhere, 'modelgate.yaml'), file);
    const clock = manualClock(NOW_MS);
    const { live, reloaded } = open({ clock });
    const watcher = live.watch();
    writeFileSync(join(elsewhere, 'modelgate.yaml'), `${HIGHER_PRICE}# changed\n`);
    clock.advance(CHECK_EVERY_MS);
    clock.advance(SETTLE_MS);
    watcher.stop();
    // Waits for the reload of the watcher.
    await live.reload();
    rmSync(elsewhere, { recursive: true });
    expect(reloaded).toHaveLength(2);
  });

  test('does not look at the file when others in the folder change, as a ledger does', async () => {
    let looks = 0;
    const report = Promise.withResolvers<void>();
    const { live } = open({
      clock: { ...systemClock, every: manualClock().every },
      stamp: (path) => {
        looks += 1;
        return readFileSync(path, 'utf8');
      },
      onReloaded: () => report.resolve(),
    });
    const watcher = live.watch();
    for (let write = 0; write < 200; write++) appendFileSync(join(folder, 'gate.db-wal'), 'row');
    // File events arrive in order. When this change is reported, the events of earlier changes have
    // therefore arrived.
    writeFileSync(join(folder, '.swp'), HIGHER_PRICE);
    renameSync(join(folder, '.swp'), file);
    await report.promise;
    watcher.stop();
    // The file was checked once at the start and once for the new file.
    expect(looks).toBe(2);
  });

  test('ignores other changes in the folder', async () => {
    let timers = 0;
    const report = Promise.withResolvers<void>();
    const { live } = open({
      clock: {
        ...systemClock,
        after: (delayMs, run) => {
          timers += 1;
          return systemClock.after(delayMs, run);
        },
      },
      onReloaded: () => report.resolve(),
    });
    const watcher = live.watch();
    for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, name), HIGHER_PRICE);
    // File events arrive in order. When this change is reported, the events of earlier changes have
    // therefore arrived.
    renameSync(join(folder, 'c'), file);
    await report.promise;
    watcher.stop();
    expect(timers).toBe(1);
  });

  test('reports that it cannot watch, and the gateway continues', () => {
    const { live, refused } = open();
    rmSync(folder, { recursive: true });
    live.watch().stop();
    expect(refused).toEqual([
      'Error: the configuration file is not watched; send SIGHUP to reload it',
    ]);
    expect(inputPrice(live)).toBe('5.00');
    // Creates the folder again, because the test has removed it, and the cleanup after each test
    // needs it.
    folder = mkdtempSync(join(tmpdir(), 'modelgate-live-'));
  });
});
