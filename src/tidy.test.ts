/** The architecture is a test: import direction, sizes, and the one place for each effect. */
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

const ROOT = join(import.meta.dir, '..');
const MAX_FILE_LINES = 400;

/** A room imports only itself and rooms on its left. To change that, change this and write a decision. */
const ROOMS =
  'errors clock config money json protocols catalogue upstreams store images builtin ledger accounts idempotency people topups reports routing relay telemetry http cli main'.split(
    ' ',
  );

/** The rooms of the console, by the same law: screens are the last, and know nothing of each other's areas. */
const CONSOLE_ROOMS =
  'api i18n money theme components code charts markdown snippets catalogue chat keys people shell screens'.split(
    ' ',
  );

type Source = { readonly path: string; readonly text: string };

function sources(...folders: string[]): Source[] {
  return folders.flatMap((folder) =>
    [...new Bun.Glob('**/*.{ts,tsx}').scanSync(join(ROOT, folder))]
      .map((file) => join(folder, file))
      .filter((path) => !/node_modules|\/\.peers\/|\/dist\/|\.gen\.ts$/.test(path))
      .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') })),
  );
}

const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);
const roomOf = (path: string): string => (path.split('/')[1] ?? '').replace(/(?:\.test)?\.ts$/, '');

function importsOf({ path, text }: Source): string[] {
  const specifiers = [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g)].map(
    ([, name = '']) => name,
  );
  return specifiers.map((name) => normalize(relative(ROOT, join(ROOT, dirname(path), name))));
}

/** Lines of code outside `allowed` that match: comments do not count. */
function uses(pattern: RegExp, allowed: RegExp, ...folders: string[]): string[] {
  return sources('src', ...folders)
    .filter(({ path }) => !isTest(path) && !allowed.test(path))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .map((line, index) => ({
          line: line.replace(/^\s*(?:\/\/|\/?\*).*$/, ''),
          at: `${path}:${index + 1}`,
        }))
        .filter(({ line }) => pattern.test(line))
        .map(({ at, line }) => `${at} ${line.trim()}`),
    );
}

describe('tidy', () => {
  test('a room imports only rooms on its left', () => {
    const wrong = sources('src')
      .filter(({ path }) => path !== 'src/tidy.test.ts')
      .flatMap((source) =>
        importsOf(source)
          .filter((to) => to.startsWith('src/'))
          .filter(
            (to) =>
              !isTest(source.path) &&
              ROOMS.indexOf(roomOf(to)) > ROOMS.indexOf(roomOf(source.path)),
          )
          .map((to) => `${source.path} imports ${to}`),
      );
    expect(wrong).toEqual([]);
  });

  test('every file of src is in a known room', () => {
    const strays = sources('src').filter(
      ({ path }) => !ROOMS.includes(roomOf(path)) && path !== 'src/tidy.test.ts',
    );
    expect(strays.map(({ path }) => path)).toEqual([]);
  });

  test(`files have at most ${MAX_FILE_LINES} lines`, () => {
    const long = sources('src', 'console', 'test', 'bench')
      .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
      .filter(({ lines }) => lines > MAX_FILE_LINES);
    expect(long).toEqual([]);
  });

  test('only the configuration reads the environment', () => {
    expect(uses(/process\.env|Bun\.env|import\.meta\.env/, /^src\/config\//)).toEqual([]);
  });

  test('only the clock tells time, starts timers and draws lots', () => {
    const effects =
      /Date\.now|new Date\(\)|performance\.now|setTimeout\(|setInterval\(|setImmediate\(|Math\.random|(?<!clock\.)\brandomBytes\(|randomUUID|getRandomValues|Bun\.sleep/;
    expect(uses(effects, /^src\/clock\.ts$/)).toEqual([]);
  });

  test('nothing escapes the type checker, and nothing is left for later', () => {
    expect(
      uses(
        /\bas any\b|: any\b|as unknown as|@ts-(?:ignore|expect-error|nocheck)|\bTODO\b|\bFIXME\b/,
        /^$/,
        'console',
      ),
    ).toEqual([]);
  });

  test('the console knows the gateway by its HTTP API alone', () => {
    const reaching = sources('console/src')
      .filter(({ path }) => !isTest(path))
      .flatMap((source) =>
        importsOf(source)
          .filter((to) => !to.startsWith('console/src/'))
          .map((to) => `${source.path} imports ${to}`),
      );
    expect(reaching).toEqual([]);
  });

  test('a room of the console imports only rooms on its left, and a screen none of another area', () => {
    const room = (path: string): number => CONSOLE_ROOMS.indexOf(path.split('/')[2] ?? '');
    const area = (path: string): string => path.split('/').slice(0, 4).join('/');
    const inRooms = sources('console/src').filter(({ path }) => path.split('/').length > 3);
    expect(inRooms.filter(({ path }) => room(path) === -1).map(({ path }) => path)).toEqual([]);
    const wrong = inRooms
      .filter(({ path }) => !isTest(path))
      .flatMap((source) =>
        importsOf(source)
          .filter((to) => to.startsWith('console/src/'))
          .filter(
            (to) =>
              room(to) > room(source.path) ||
              (to.startsWith('console/src/screens/') && area(to) !== area(source.path)),
          )
          .map((to) => `${source.path} imports ${to}`),
      );
    expect(wrong).toEqual([]);
  });

  test('the console writes no HTML of its own', () => {
    const html = sources('console/src').filter(({ text }) =>
      /dangerouslySetInnerHTML|\binnerHTML\b|insertAdjacentHTML|document\.write/.test(text),
    );
    expect(html.map(({ path }) => path)).toEqual([]);
  });

  test('no folder is called after nothing', () => {
    const vague = sources('src', 'console').filter(({ path }) =>
      /(?:^|\/)(?:utils?|helpers?|common|manager|misc)(?:\/|\.|-)/.test(path),
    );
    expect(vague).toEqual([]);
  });

  test('no test is skipped or alone', () => {
    const idle = sources('src', 'console', 'test', 'bench')
      .filter(({ path }) => isTest(path) && path !== 'src/tidy.test.ts')
      .filter(({ text }) => /\b(?:test|it|describe)\.(?:skip|only|todo|if|skipIf)\b/.test(text));
    expect(idle.map(({ path }) => path)).toEqual([]);
  });
});
