/**
 * Tests the pages of docs/operate and the files of deploy/: their commands run, and the names that
 * they mention exist.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { ERRORS } from '../src/errors.ts';
import { OPTIONS_ANSWER, writeSqlite } from '../src/movein/one-api/one-api-database.fixture.ts';
import { environmentOf } from './support/cluster/patroni.ts';
import {
  type GatewayProcess,
  runModelgate,
  startGateway,
} from './support/gateways/gateway-process.ts';
import { metricsText, readMetrics } from './support/metrics-text.ts';
import { at } from './support/wire.ts';

const ROOT = join(import.meta.dir, '..');
const PAGES = join(ROOT, 'docs/operate');
const OPENROUTER = join(ROOT, 'src/movein/openrouter/fixtures');
const LITELLM = join(ROOT, 'src/movein/litellm/fixtures');
const WRITTEN_ADDRESS = 'http://127.0.0.1:8787';

const pages = readdirSync(PAGES).toSorted();
/**
 * The page whose commands replace a ledger. The tests of this file do not run these commands. The
 * tests of `restore` run them on separate ledgers.
 */
const TESTED_APART = 'backup.md';
const pageText = (page: string): string => readFileSync(join(PAGES, page), 'utf8');
const deployed = (file: string): string => readFileSync(join(ROOT, 'deploy', file), 'utf8');
const linesOf = (language: string): [string, string][] =>
  pages
    .filter((page) => page !== TESTED_APART)
    .flatMap((page) =>
      [...pageText(page).matchAll(/^ *```(\w+)\n([\s\S]*?)^ *```$/gm)]
        .filter(([, found]) => found === language)
        .map(([, , text = '']): [string, string] => [page, text.replaceAll(/^ +/gm, '')]),
    );

let gateway: GatewayProcess;
/** The working folder. It contains the command `modelgate`, as an installation does. */
let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  gateway = await startGateway();
  folder = mkdtempSync(join(tmpdir(), 'modelgate-operate-'));
  symlinkSync(join(ROOT, 'bin/modelgate'), join(folder, 'modelgate'));
  writeSqlite(join(folder, 'one-api.db'), 'one-api');
  for (const name of ['activity.csv', 'models.json', 'keys.json'])
    copyFileSync(join(OPENROUTER, name), join(folder, name));
  copyFileSync(join(LITELLM, 'config.yaml'), join(folder, 'config.yaml'));
  copyFileSync(join(LITELLM, 'prices.json'), join(folder, 'model_prices_and_context_window.json'));
  writeFileSync(join(folder, 'prices.json'), OPTIONS_ANSWER);
  env = {
    PATH: `${folder}:${process.env['PATH'] ?? ''}`,
    HOME: folder,
    MODELGATE_CONFIG: gateway.configPath,
    MODELGATE_DATA_DIR: gateway.dataDir,
    MODELGATE_ADMIN_TOKEN: gateway.adminToken,
    MODELGATE_LISTEN: new URL(gateway.url).host,
  };
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

describe('commands run', () => {
  test.each(linesOf('sh'))('%s: %s', async (_page, text) => {
    const child = Bun.spawn(['bash', '-ec', text.replaceAll(WRITTEN_ADDRESS, gateway.url)], {
      ...{ cwd: folder, env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
    });
    const [code, stdout, stderr] = await Promise.all([
      child.exited,
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.trim()).not.toBe('');
  });

  test('what is not run is marked by #, and its commands of modelgate exist', async () => {
    expect(linesOf('sh').length).toBeGreaterThan(8);
    const help = (await runModelgate(['help'], {})).stdout;
    for (const [page, text] of linesOf('console'))
      for (const line of text.trim().split('\n')) {
        expect([page, line]).toEqual([page, expect.stringMatching(/^# /)]);
        const command = /^# (?:sudo .*)?modelgate ([a-z-]+)/.exec(line)?.[1];
        if (command !== undefined) expect(help).toContain(`\n  ${command} `);
      }
  });
});

describe('names exist', () => {
  test('the index lists every page', () => {
    for (const page of pages)
      if (page !== 'README.md') expect(pageText('README.md')).toContain(`(${page})`);
  });

  test('every setting (`console.key` is a file)', async () => {
    const { stdout } = await runModelgate(['doctor', '--json'], env);
    const known = Object.keys(JSON.parse(stdout).settings);
    const named = pages.flatMap((page) => [
      ...pageText(page).matchAll(/`((?:console|limits|metrics|alerts)\.(?!key\b)\w+)/g),
    ]);
    expect(named.length).toBeGreaterThan(8);
    for (const [, name = ''] of named) expect(known).toContain(name);
  });

  test('every error code, which docs/errors.md explains', () => {
    const rows = pageText('troubleshooting.md').split('## Without a code')[0] ?? '';
    const codes = [...rows.matchAll(/^\| (`.+?) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, code = '']) => code),
    );
    expect(codes.length).toBeGreaterThan(15);
    expect(codes.filter((code) => !(code in ERRORS))).toEqual([]);
  });

  test.each(['prometheus-alerts.yml', 'grafana-dashboard.json'])(
    'every metric of deploy/%s',
    async (file) => {
      const known = readMetrics(await metricsText(gateway));
      const names = [...deployed(file).matchAll(/\b(?:modelgate|process)_[a-z_0-9]+/g)].map(
        ([name]) => name.replace(/_bucket$/, ''),
      );
      expect(names.length).toBeGreaterThan(12);
      expect(names.filter((name) => !known.has(name))).toEqual([]);
    },
  );
});

test('a server of the cluster on its page has the environment of the tested one', () => {
  const tested = environmentOf({ name: '', etcd: '', folder: '', data: '', port: 0, api: 0 });
  const written = pageText('high-availability.md').matchAll(/^(PATRONI_(?!ETCD3)\w+)=\S+$/gm);
  expect([...written].map(([, name]) => name)).toEqual(Object.keys(tested));
});

test('a commit of the cluster is on two machines, and its times fit together', () => {
  const file = load(deployed('patroni/patroni.yml'));
  const dcs = at(file, 'bootstrap.dcs');
  expect([at(dcs, 'synchronous_mode'), at(dcs, 'synchronous_mode_strict')]).toEqual([true, true]);
  // Patroni requires that `loop_wait` + 2 × `retry_timeout` is at most `ttl`, and changes values
  // that violate this.
  const [ttl, wait, retry] = ['ttl', 'loop_wait', 'retry_timeout'].map((key) => at(dcs, key));
  expect(Number(wait) + 2 * Number(retry)).toBeLessThanOrEqual(Number(ttl));
});

test('alerts have an expression, a name of their own, and are named on the page', () => {
  const rules = Object(at(load(deployed('prometheus-alerts.yml')), 'groups.0.rules'));
  const names = [...rules].map((rule) => String(Object(rule).alert));
  expect(new Set(names).size).toBe(names.length);
  expect([...rules].every((rule) => typeof Object(rule).expr === 'string')).toBe(true);
  const page = pageText('monitoring.md');
  const woken = [...page.matchAll(/`([A-Z]\w+)`/g)].map(([, name = '']) => name);
  expect(woken.length).toBeGreaterThan(2);
  expect(woken.filter((name) => !names.includes(name))).toEqual([]);
});

test('panels of the dashboard do not overlap, and each has queries', () => {
  const { panels } = JSON.parse(deployed('grafana-dashboard.json'));
  const cells = new Set<string>();
  for (const { id, type, gridPos, targets } of panels) {
    if (type !== 'row') expect([id, targets.length > 0]).toEqual([id, true]);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        expect([id, cells.has(`${x} ${y}`)]).toEqual([id, false]);
        cells.add(`${x} ${y}`);
      }
  }
});

test('a chosen job narrows every query of the dashboard', () => {
  const { panels } = JSON.parse(deployed('grafana-dashboard.json'));
  const queries: string[] = panels.flatMap(({ targets = [] }: { targets?: { expr: string }[] }) =>
    targets.map(({ expr }) => expr),
  );
  for (const query of queries)
    for (const [, labels] of query.matchAll(/\b(?:modelgate|process)_\w+(\{.*?\})?/g))
      expect([query, labels]).toEqual([query, expect.stringContaining('job=~"$job"')]);
});

test('the unit waits longer for a stop than the gateway for its requests', () => {
  const unit = deployed('modelgate.service');
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(30);
  expect(Number(/^LimitNOFILE=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThanOrEqual(16_384);
});
