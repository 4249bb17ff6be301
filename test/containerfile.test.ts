/**
 * Tests the text of `Containerfile`. `npm run test:operate` builds the image and tests that its
 * gateway serves requests.
 */
import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COPIED } from '../bin/package.ts';

const ROOT = join(import.meta.dir, '..');
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');
/** The instructions of the file, one per line, without comments. */
const instructions = read('Containerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => line !== '');
const last = instructions.slice(instructions.lastIndexOf('FROM scratch'));
const values = (name: string): string[] =>
  last.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));

test('takes both bases as arguments', () => {
  const bases = instructions.filter((line) => line.startsWith('FROM '));
  expect(bases.map((line) => line.split(' ')[1])).toEqual([
    `\${BUILD_BASE}`,
    `\${BASE}`,
    'scratch',
  ]);
});

test('runs as a numbered user who is not root, with a volume and a stop signal', () => {
  expect(values('USER')).toEqual(['10001:10001']);
  expect(values('VOLUME')).toEqual(['/var/lib/modelgate']);
  expect(values('STOPSIGNAL')).toEqual(['SIGTERM']);
  expect(values('ENV').join()).toContain('MODELGATE_DATA_DIR=/var/lib/modelgate');
  expect(last.some((line) => line.startsWith('RUN '))).toBe(false);
});

test('checks its health by the runtime of the package, at a path that exists', () => {
  const [check = ''] = values('HEALTHCHECK');
  const [program, , code = ''] = JSON.parse(check.slice(check.indexOf('[')));
  const inPackage = program.replace('/opt/modelgate/node_modules/modelgate/', '');
  expect(existsSync(join(ROOT, inPackage))).toBe(true);
  expect(COPIED).toContain(inPackage);
  expect(read('src/http/edge/service-routes.ts')).toContain(`'${/\/\w+(?=`)/.exec(code)?.[0]}'`);
});

test('gets everything that the package is made from, and no secrets or data', () => {
  const lines = read('.containerignore').split('\n');
  expect(lines).toContain('*');
  const given = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  const made = ['package.json', 'package-lock.json', 'src', 'bin', 'console'];
  const files = COPIED.map((path) => (path.includes('/') ? path.split('/')[0] : path));
  for (const path of [...made, ...files]) expect(given).toContain(String(path));
  for (const path of given) expect(existsSync(join(ROOT, path))).toBe(true);
});
