// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of the file.
/** Tests `doctor` with simulated faults of the machine, of PostgreSQL and of a proxy. */
import { afterAll, describe, expect, test } from 'bun:test';
import { chmodSync, chownSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../clock.ts';
import { changedFile } from '../../config/file.fixture.ts';
import { Secret } from '../../config/secret.ts';
import { newTestDatabase } from '../../ledger/postgres/postgres.fixture.ts';
import { PostgresLink } from '../../store/postgres/postgres-link.ts';
import { CERTIFICATE, KEY } from '../../upstreams/certificate.fixture.ts';
import { ADMIN_TOKEN, newFolder, openTestGateway, removeFolders } from '../gateway.fixture.ts';
import { ledgerRisks, withRemedy } from './at-start.ts';
import { doctor } from './doctor.ts';
import type { Finding } from './finding.ts';
import {
  type FolderFacts,
  fileSystemFindings,
  flushFindings,
  folderFindings,
  spaceFindings,
} from './folder-checks.ts';
import { certificateEndMs, openFilesIn } from './machine.ts';
import { addressFindings, openFilesFindings, runtimeFindings } from './machine-checks.ts';
import { postgresFindings, type ServerFacts, serverFindings } from './postgres-checks.ts';
import { publicUrlFindings } from './public-url-checks.ts';

afterAll(removeFolders);

/** Returns each finding that is not ok, in the form `level check`. */
const problems = (findings: readonly Finding[]): string[] =>
  findings.filter(({ level }) => level !== 'ok').map(({ level, check }) => `${level} ${check}`);

async function run(lines: string, json = false) {
  const file = join(newFolder(), 'own.yaml');
  writeFileSync(file, lines);
  let text = '';
  const exit = await doctor(
    { configPath: file, json, url: null },
    {
      clock: systemClock,
      print: (piece) => (text += piece),
      fetch: () => Promise.reject(new Error('calls no gateway')),
      settings: () => Promise.reject(new Error('needs no token')),
    },
  );
  return { exit, text };
}

describe('the command', () => {
  test('lists the checks, then the start settings of a file with `config: database`', async () => {
    const folder = newFolder();
    const { exit, text } = await run(
      `config: database\ndata_dir: ${folder}\n${changedFile('maker: gen', 'maker: "${MISSING}"')}`,
    );
    expect(text).toMatch(/^Checks\n {2}ok +runtime /);
    expect(text).toMatch(/^ {2}ok +data folder +\/.+$/m);
    expect(text).toMatch(/^ {2}config +database +.*own\.yaml:1$/m);
    expect(text).not.toMatch(/^ {2}(?:limits|fx|models)/m);
    expect(text).toEndWith('`modelgate config export` prints them.\n');
    expect(exit).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('shows each setting with its value and its source, and no secret', async () => {
    const lines = [
      'limits: { drain: 7s }',
      'upstreams: { o: { protocol: openai, base_url: "https://x.example/v1", api_key: sk-hidden } }',
      'models: {}',
    ].join('\n');
    const { text: json } = await run(lines, true);
    const { settings } = JSON.parse(json);
    expect(settings['limits.drain']).toMatchObject({
      value: '7s',
      source: expect.stringMatching(/own\.yaml:1$/),
    });
    expect(settings['limits.keep_alive']).toEqual({ value: '15s', source: 'default' });
    const { text } = await run(lines);
    expect(text).toMatch(/limits\.drain +7s/);
    expect(json + text).not.toContain('sk-hidden');
  });

  test('exits with 1 and says what to do where the data folder is a file', async () => {
    const path = join(newFolder(), 'data');
    writeFileSync(path, '');
    const { exit, text } = await run(`data_dir: ${path}/deeper\nupstreams: {}\nmodels: {}`, true);
    const { checks } = JSON.parse(text);
    expect(problems(checks)).toEqual(['fail data folder', 'warn backups']);
    expect(text).toContain('Move the file away');
    expect(exit).toBe(1);
  });

  test('refuses a key of the stored secrets that is not one', async () => {
    const { exit, text } = await run(
      `data_dir: ${newFolder()}\nsecrets: { key: abc }\nupstreams: {}\nmodels: {}`,
      true,
    );
    expect(problems(JSON.parse(text).checks)).toContain('fail secrets key');
    expect(exit).toBe(1);
  });

  test('refuses a real folder in memory, and one that others may write', async () => {
    const inMemory = await run(
      'data_dir: /dev/shm/modelgate-doctor\nupstreams: {}\nmodels: {}',
      true,
    );
    expect(problems(JSON.parse(inMemory.text).checks)).toContain('fail file system');
    const shared = join(newFolder(), 'shared');
    mkdirSync(shared);
    chmodSync(shared, 0o777);
    const { exit, text } = await run(`data_dir: ${shared}\nupstreams: {}\nmodels: {}`, true);
    expect(problems(JSON.parse(text).checks)).toContain('warn data folder');
    expect(exit).toBe(0);
  });
});

const FOLDER: FolderFacts = {
  ...{ path: '/data', existing: '/data', isFolder: true, ownerId: 1000, userId: 1000 },
  brokenLink: null,
  ...{ mode: 0o700, refusal: null, fileSystem: 0xef53, freeBytes: 2 ** 40, freeFiles: 1_000_000 },
};

describe('the data folder', () => {
  test.each<[string, Partial<FolderFacts>, string]>([
    ['a read-only file system', { refusal: 'EROFS' }, 'fail data folder'],
    ['a folder closed to this user', { refusal: 'EACCES', ownerId: 0 }, 'fail data folder'],
    ['a folder of another user, run by root', { userId: 0 }, 'warn data folder'],
    ['a folder that a group may write', { mode: 0o770 }, 'warn data folder'],
    ['NFS', { fileSystem: 0x6969 }, 'fail file system'],
    ['SMB', { fileSystem: 0xfe534d42 }, 'fail file system'],
    ['a container without a volume', { fileSystem: 0x794c7630 }, 'warn file system'],
    ['a full disk', { freeBytes: 1_000_000 }, 'fail disk space'],
    ['a disk without inodes', { freeFiles: 3 }, 'fail disk space'],
    ['a disk that fills up', { freeBytes: 500 * 2 ** 20 }, 'warn disk space'],
  ])('%s', (_, planted, problem) => {
    const facts = { ...FOLDER, ...planted };
    const found = [
      ...folderFindings(facts),
      ...fileSystemFindings(facts, true),
      ...spaceFindings(facts),
    ];
    expect(problems(found)).toEqual([problem]);
    expect(found.every(({ level, remedy }) => (level === 'ok') === (remedy === null))).toBe(true);
  });

  test('a network mount without the ledger is a warning', () => {
    expect(problems(fileSystemFindings({ ...FOLDER, fileSystem: 0x6969 }, false))).toEqual([
      'warn file system',
    ]);
  });

  test('a folder that is missing is created for the user, not given to it', () => {
    const [closed] = folderFindings({ ...FOLDER, existing: '/', refusal: 'EACCES' });
    expect(closed?.remedy).toContain('`install -d -m 700 -o USER /data`');
  });

  test('flushes that are slow, refused for space, or failing', () => {
    expect(problems(flushFindings({ medianMs: 2, longestMs: 90 }))).toEqual([]);
    expect(problems(flushFindings({ medianMs: 45, longestMs: 90 }))).toEqual([
      'warn flush to disk',
    ]);
    expect(flushFindings('ENOSPC')[0]).toMatchObject({
      level: 'fail',
      remedy: 'The disk or a quota is full: free some space.',
    });
    expect(flushFindings('EIO')[0]?.remedy).toContain('system log');
  });
});

describe('a start', () => {
  test("says what to do about a folder that is a file, a broken link, another user's, or read-only", async () => {
    const folder = newFolder();
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const exists = new Error(`EEXIST: file already exists, mkdir '${file}'`);
    const said = async (thrown: Error, path: string) => String(await withRemedy(thrown, path));
    expect(await said(exists, file)).toContain('Move the file away');
    expect(await said(exists, file)).toContain('EEXIST');
    const link = join(folder, 'link');
    symlinkSync(join(folder, 'unmounted', 'disk'), link);
    expect(await said(exists, link)).toContain(`${link} is a symbolic link to a folder that does`);
    expect(await said(exists, join(link, 'data'))).toContain('Mount or create that folder');
    const other = new Error('the port is in use');
    expect(await withRemedy(other, file)).toBe(other);
    const shared = newFolder();
    chmodSync(shared, 0o777);
    const full = new Error('ENOSPC: no space left on device, write');
    expect(await said(full, shared)).not.toContain('chmod');
    const denied = new Error(`EACCES: permission denied, open '${folder}/modelgate.db'`);
    // Root can write to a read-only folder, so as root the test changes the folder's owner instead.
    if (process.getuid?.() === 0) chownSync(folder, 12_345, 12_345);
    else chmodSync(folder, 0o500);
    expect(await said(denied, folder)).toMatch(/belongs to user 12345|cannot write in/);
    expect(await said(denied, folder)).toContain('chown -R');
  });

  test('names a file system in memory, which loses the ledger', async () => {
    const here = await ledgerRisks('/dev/shm');
    expect(here).toEqual([expect.stringContaining('is in memory')]);
  });
});

describe('the process', () => {
  test('a limit of open files that is low, or too low', () => {
    const files = (openFiles: number | null) =>
      problems(openFilesFindings({ runtime: '', outgoing: null, openFiles }));
    expect([files(65_536), files(4_096), files(256), files(null)]).toEqual([
      ...[[], ['warn open files'], ['fail open files'], []],
    ]);
    const limits = 'Max open files            1024                 524288               files\n';
    expect(openFilesIn(limits)).toBe(1024);
    expect(openFilesIn(limits.replace('1024 ', 'unlimited '))).toBe(Number.MAX_SAFE_INTEGER);
  });

  test('another runtime, and one that was started without its launcher', () => {
    const facts = { runtime: '1.0.0', outgoing: 'BUN_CONFIG_MAX_HTTP_REQUESTS', openFiles: null };
    expect(problems(runtimeFindings(facts, '1.4.5'))).toEqual([
      ...['warn runtime', 'fail outgoing requests'],
    ]);
    expect(problems(runtimeFindings({ ...facts, outgoing: null }, '1.0.0'))).toEqual([]);
  });

  test.each([
    ['127.0.0.1', null, 0, 'ok'],
    ['0.0.0.0', null, 0, 'warn'],
    ['0.0.0.0', 'http://models.example', 0, 'warn'],
    ['127.0.0.1', 'https://models.example', 0, 'warn'],
    ['127.0.0.1', 'https://models.example', 1, 'ok'],
  ] as const)(
    'listening on %s as %p behind %p proxies is %s',
    (host, public_url, proxies, level) => {
      const listen = { host, port: 8787 };
      const [found] = addressFindings({ listen, public_url, trusted_proxies: proxies });
      expect(found?.level).toBe(level);
    },
  );
});

const SERVER: ServerFacts = {
  ...{
    number: 160_004,
    version: '16.4',
    isPlain: false,
    synchronousCommit: 'on',
    mayCreate: true,
  },
  ...{ freeConnections: 80, aheadMs: 12, risks: [] },
};

describe('PostgreSQL', () => {
  test.each<[string, Partial<ServerFacts>, string]>([
    ['an old server', { number: 140_000, version: '14.0' }, 'fail PostgreSQL'],
    ['a plain connection', { isPlain: true }, 'warn PostgreSQL TLS'],
    ['a pooler that drops settings', { synchronousCommit: 'off' }, 'fail PostgreSQL commits'],
    [
      'a server that does not flush',
      { risks: ['It is off. Set it.'] },
      'warn PostgreSQL durability',
    ],
    ['a user without rights', { mayCreate: false }, 'fail PostgreSQL rights'],
    ['no free connection', { freeConnections: 3 }, 'fail PostgreSQL connections'],
    ['few free connections', { freeConnections: 12 }, 'warn PostgreSQL connections'],
    ['a clock that is off', { aheadMs: -2_500 }, 'warn clock'],
    ['a clock that is far off', { aheadMs: 90_000 }, 'fail clock'],
  ])('%s', (_, planted, problem) => {
    expect(problems(serverFindings(SERVER))).toEqual([]);
    expect(problems(serverFindings({ ...SERVER, ...planted }))).toEqual([problem]);
  });

  test('a real server is asked, and one that is away is named without the password', async () => {
    const url = await newTestDatabase();
    const found = await postgresFindings(new Secret(url), null, systemClock);
    expect(found.map(({ check }) => check)).toContain('PostgreSQL connections');
    expect(found.find(({ check }) => check === 'clock')).toMatchObject({ level: 'ok' });
    const away = new Secret('postgres://someone:hidden@127.0.0.1:1/ledger');
    const [refused] = await postgresFindings(away, null, systemClock);
    expect(refused).toMatchObject({ level: 'fail', check: 'PostgreSQL' });
    expect(JSON.stringify(refused)).not.toContain('hidden');
    // A PostgreSQL server without a pooler is configured as the pooler. The check reports that it
    // lacks the settings of a pooler.
    const pooled = await postgresFindings(new Secret(url), new Secret(url), systemClock);
    expect(pooled.at(-1)).toMatchObject({ level: 'fail', check: 'pooler' });
    expect(pooled.at(-1)?.found).toContain('statement_timeout = 0');
    const admin = new PostgresLink({
      ...{ url: new Secret(url), clock: systemClock, statementMs: 0, lockMs: 0 },
    });
    const name = new URL(url).pathname.slice(1);
    const set = `ALTER DATABASE ${name} SET default_transaction_read_only = on`;
    await admin.ask(5_000, (client) => client.unsafe(set));
    await admin.close();
    const [standby] = await postgresFindings(new Secret(url), null, systemClock);
    expect(standby).toMatchObject({ level: 'fail', check: 'PostgreSQL' });
    expect(standby?.found).toContain('the server is a standby');
  }, 180_000);
});

describe('the public URL', () => {
  const settings = {
    baseUrl: 'http://unused',
    dataDir: '/nowhere',
    adminToken: new Secret(ADMIN_TOKEN),
  };
  const deps = {
    ...{ clock: systemClock, settings, fetch: (request: Request) => fetch(request) },
    certificateEndMs: async (): Promise<number | null> => null,
  };

  test('finds a proxy that holds streams back, and passes one that does not', async () => {
    const gateway = await openTestGateway(newFolder());
    const direct = Bun.serve({ port: 0, fetch: (request) => gateway.edge.fetch(request) });
    const buffering = Bun.serve({
      port: 0,
      fetch: async (request) => {
        const { status, headers, body } = await gateway.edge.fetch(request);
        return new Response(await new Response(body).bytes(), { status, headers });
      },
    });
    try {
      expect(problems(await publicUrlFindings(direct.url.origin, deps))).toEqual([]);
      expect(problems(await publicUrlFindings(buffering.url.origin, deps))).toEqual([
        'fail streams',
      ]);
      const stranger = { ...settings, adminToken: new Secret('another-token') };
      const untested = await publicUrlFindings(direct.url.origin, { ...deps, settings: stranger });
      expect(problems(untested)).toEqual(['warn streams']);
    } finally {
      await Promise.all([direct.stop(true), buffering.stop(true)]);
      await gateway.close();
    }
  });

  const answering = (answer: () => Response) => ({ ...deps, fetch: async () => answer() });
  const at = (date: string): ResponseInit => ({ headers: { date } });

  test('finds other servers, wrong clocks, bad certificates and plain HTTP', async () => {
    const url = 'https://models.example';
    const other = answering(() => new Response('It works!', { status: 404 }));
    expect(problems(await publicUrlFindings(url, other))).toEqual(['fail public URL']);
    const wrong = answering(() => Response.json({ status: 'ok' }, at('2001-01-01T00:00:00Z')));
    expect(problems(await publicUrlFindings(url, wrong))).toContain('fail clock of the URL');
    const expired = { ...deps, fetch: () => Promise.reject(new Error('certificate has expired')) };
    const [refused] = await publicUrlFindings(url, expired);
    expect(refused?.remedy).toContain('Give the proxy a valid certificate');
    // The token is not sent over plain HTTP, because others could read it.
    const asked: string[] = [];
    const plain = {
      ...deps,
      fetch: async (request: Request) => {
        asked.push(request.url);
        return Response.json({ status: 'ok' });
      },
    };
    const found = await publicUrlFindings('http://models.example', plain);
    expect(problems(found)).toEqual(['warn public URL']);
    expect(asked).toEqual(['http://models.example/healthz']);
    await expect(publicUrlFindings('models.example', deps)).rejects.toThrow('--url must be');
  });

  test('says how long the certificate lasts', async () => {
    const days = async (left: number | null) =>
      problems(
        await publicUrlFindings('https://models.example', {
          ...answering(() => Response.json({ status: 'ok' })),
          certificateEndMs: async () => left && systemClock.nowMs() + (left + 0.5) * 86_400_000,
        }),
      ).filter((each) => each.endsWith('certificate'));
    expect(await days(60)).toEqual([]);
    expect(await days(20)).toEqual(['warn certificate']);
    expect(await days(3)).toEqual(['fail certificate']);
    expect(await days(null)).toEqual([]);
  });

  test('reads the end of a certificate from the server', async () => {
    const tls = { key: KEY, cert: CERTIFICATE };
    const server = Bun.serve({ port: 0, tls, fetch: () => new Response('') });
    const closed = new URL('https://127.0.0.1:1');
    try {
      expect(await certificateEndMs(server.url, systemClock)).toBe(
        Date.parse('2126-10-30T15:18:04Z'),
      );
      expect(await certificateEndMs(closed, systemClock)).toBeNull();
    } finally {
      await server.stop(true);
    }
  });
});
