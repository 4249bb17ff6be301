/**
 * The project's rules as tests: import direction, cycles, sizes, names and words, and one allowed
 * place for each kind of side effect. To change a rule, change it here and write a decision.
 */
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';

const ROOT = join(import.meta.dir, '..');
const SELF = 'src/tidy.test.ts';
const MAX_FILE_LINES = 400;
/** The limit for a file with one large class or table, which is hard to split. */
const MAX_SINGLE_FILE_LINES = 500;
const MAX_CLASS_LINES = 200;
const MAX_FOLDER_FILES = 20;
const MAX_COMMENT_COLUMNS = 100;

/**
 * The rooms (folders) of `src`. A room imports only itself and the rooms to its left in this list.
 */
const ROOMS =
  'errors clock config money json protocols catalogue upstreams store images builtin ledger accounts secrets idempotency mail people topups backups reports routing reconcile revisions movein relay telemetry http cli main'.split(
    ' ',
  );

/** The folders of `http`. A folder imports only itself and the folders to its left in this list. */
const HTTP_ROOMS = 'reference edge caller console admin'.split(' ');

/**
 * The rooms of the console. A room imports only itself and the rooms to its left in this list, and
 * a screen does not import the screens of another area.
 */
const CONSOLE_ROOMS =
  'api i18n money theme components code charts markdown snippets catalogue bill chat keys requests people shell screens'.split(
    ' ',
  );

/** The folders of `protocols` mirror each other file by file, so their files may share names. */
const MIRRORED = /^src\/protocols\/[^/]+\//;

/** Words that no colleague would say, or that have a standard term. */
const BANNED_WORDS =
  /\b(?:whoever|anew|told|(?:is|are|was|were) none|in one piece|dearer|heed(?:s|ed|ing)?|mend(?:s|ed|ing)?|fares|gist|taken away|again and again)\b/i;

type Source = { readonly path: string; readonly text: string };

const CODE_FOLDERS = ['src', 'console', 'test', 'bench'] as const;

function filesOf(pattern: string, ...folders: readonly string[]): Source[] {
  return folders.flatMap((folder) =>
    [...new Bun.Glob(pattern).scanSync(join(ROOT, folder))]
      .map((file) => join(folder, file))
      .filter((path) => !/node_modules|\/\.peers\/|\/dist\/|\.gen\.ts$/.test(path))
      .toSorted()
      .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') })),
  );
}

const sources = (...folders: readonly string[]): Source[] => filesOf('**/*.{ts,tsx}', ...folders);

const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);
const isSupport = (path: string): boolean => isTest(path) || /\.fixture\.tsx?$/.test(path);
const roomOf = (path: string): string =>
  (path.split('/')[1] ?? '').replace(/(?:\.(?:test|fixture))?\.ts$/, '');

/**
 * Returns the files that a source imports, exports from, or loads as a worker by `new URL`. In the
 * console, `#room/file.ts` names a file of another folder.
 */
function importsOf({ path, text }: Source): string[] {
  const specifiers = [
    ...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([.#][^']+)'|new URL\('(\.[^']+)'/g),
  ].map(([, imported, located]) => imported ?? located ?? '');
  return specifiers.map((name) =>
    name.startsWith('#') ? `console/src/${name.slice(1)}` : normalize(join(dirname(path), name)),
  );
}

/** Returns `FROM imports TO` for each import for which `isWrong` is true. */
const wrongImports = (
  files: readonly Source[],
  isWrong: (from: string, to: string) => boolean,
): string[] =>
  files.flatMap((source) =>
    importsOf(source)
      .filter((to) => isWrong(source.path, to))
      .map((to) => `${source.path} imports ${to}`),
  );

/**
 * Returns the lines of code that match `pattern` in files outside `allowed`. Comments are ignored.
 */
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

/** Returns import cycles as sorted lists of files (Tarjan's strongly connected components). */
function cyclesOf(files: readonly Source[]): string[][] {
  const imports = new Map(files.map((file) => [file.path, importsOf(file)]));
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (path: string): void => {
    order.set(path, order.size);
    lowest.set(path, order.get(path) ?? 0);
    stack.push(path);
    for (const to of imports.get(path) ?? []) {
      if (!imports.has(to)) continue;
      if (!order.has(to)) visit(to);
      else if (!stack.includes(to)) continue;
      lowest.set(path, Math.min(lowest.get(path) ?? 0, lowest.get(to) ?? 0));
    }
    if (lowest.get(path) !== order.get(path)) return;
    const component = stack.splice(stack.indexOf(path));
    if (component.length > 1) found.push(component.toSorted());
  };
  for (const path of imports.keys()) if (!order.has(path)) visit(path);
  return found;
}

type Block = { readonly name: string; readonly lines: number };

/**
 * Returns the top-level declarations whose first line matches `start`. Each ends at the next line
 * that begins with a closing bracket.
 */
function blocksOf({ path, text }: Source, start: RegExp): Block[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    if (!start.test(line)) return [];
    const length = lines.slice(index).findIndex((later) => /^[}\])]/.test(later)) + 1;
    return [{ name: `${path} ${line}`, lines: length }];
  });
}

const CLASS_START = /^(?:export )?(?:abstract )?class /;
const TABLE_START = /^(?:export )?const .*[[{(]$/;

/**
 * Whether one class or one table (a constant with a multi-line list or object) fills more than half
 * of the file.
 */
function isSingle(source: Source): boolean {
  const half = source.text.split('\n').length / 2;
  return [CLASS_START, TABLE_START].some((start) =>
    blocksOf(source, start).some(({ lines }) => lines > half),
  );
}

describe('rooms', () => {
  test('a room imports only rooms on its left', () => {
    const isRight = (from: string, to: string): boolean =>
      to.startsWith('src/') &&
      !isTest(from) &&
      ROOMS.indexOf(roomOf(to)) > ROOMS.indexOf(roomOf(from));
    expect(wrongImports(sources('src'), isRight)).toEqual([]);
  });

  test('every file of src is in a known room', () => {
    const strays = sources('src').filter(
      ({ path }) => !ROOMS.includes(roomOf(path)) && path !== SELF,
    );
    expect(strays.map(({ path }) => path)).toEqual([]);
  });

  test('an audience of http imports only audiences on its left', () => {
    const audience = (path: string): number => HTTP_ROOMS.indexOf(path.split('/')[2] ?? '');
    const files = sources('src/http');
    expect(files.filter(({ path }) => audience(path) === -1).map(({ path }) => path)).toEqual([]);
    const isRight = (from: string, to: string): boolean =>
      to.startsWith('src/http/') && !isSupport(from) && audience(to) > audience(from);
    expect(wrongImports(files, isRight)).toEqual([]);
  });

  test('the console uses only the HTTP API of the gateway', () => {
    const isOutside = (from: string, to: string): boolean =>
      !isTest(from) && !to.startsWith('console/src/');
    expect(wrongImports(sources('console/src'), isOutside)).toEqual([]);
  });

  test('a room of the console imports only rooms on its left, a screen only its own area', () => {
    const room = (path: string): number => CONSOLE_ROOMS.indexOf(path.split('/')[2] ?? '');
    const area = (path: string): string => path.split('/').slice(0, 4).join('/');
    const inRooms = sources('console/src').filter(({ path }) => path.split('/').length > 3);
    expect(inRooms.filter(({ path }) => room(path) === -1).map(({ path }) => path)).toEqual([]);
    const isWrong = (from: string, to: string): boolean =>
      !isTest(from) &&
      to.startsWith('console/src/') &&
      (room(to) > room(from) || (to.startsWith('console/src/screens/') && area(to) !== area(from)));
    expect(wrongImports(inRooms, isWrong)).toEqual([]);
  });

  test('no files import each other in a cycle', () => {
    const files = sources(...CODE_FOLDERS).filter(({ path }) => !isTest(path));
    expect(cyclesOf(files)).toEqual([]);
  });

  test('shipped code imports no test support, and unshipped code is named as support', () => {
    const files = sources('src');
    const isLeak = (from: string, to: string): boolean => !isSupport(from) && isSupport(to);
    expect(wrongImports(files, isLeak)).toEqual([]);
    const byPath = new Map(files.map((file) => [file.path, file]));
    const reached = new Set<string>();
    const pending = ['src/main.ts'];
    for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
      const file = byPath.get(path);
      if (file === undefined || reached.has(path)) continue;
      reached.add(path);
      pending.push(...importsOf(file));
    }
    const unreached = files.filter(
      ({ path }) => !reached.has(path) && !isSupport(path) && !path.endsWith('.d.ts'),
    );
    expect(unreached.map(({ path }) => path)).toEqual([]);
  });
});

describe('sizes', () => {
  test(`files have at most ${MAX_FILE_LINES} lines, ${MAX_SINGLE_FILE_LINES} with one class or table`, () => {
    const long = sources(...CODE_FOLDERS)
      .map((source) => ({ source, lines: source.text.split('\n').length - 1 }))
      .filter(
        ({ source, lines }) => lines > (isSingle(source) ? MAX_SINGLE_FILE_LINES : MAX_FILE_LINES),
      );
    expect(long.map(({ source, lines }) => `${source.path}: ${lines}`)).toEqual([]);
  });

  test(`classes have at most ${MAX_CLASS_LINES} lines`, () => {
    // Tests and fixtures are skipped, because a property test may model the behavior of a whole
    // folder in one large class.
    const long = sources(...CODE_FOLDERS)
      .filter(({ path }) => !isSupport(path))
      .flatMap((source) => blocksOf(source, CLASS_START))
      .filter(({ lines }) => lines > MAX_CLASS_LINES);
    expect(long.map(({ name, lines }) => `${name} ${lines}`)).toEqual([]);
  });

  test(`folders have at most ${MAX_FOLDER_FILES} files that are no tests or fixtures`, () => {
    const counts = new Map<string, number>();
    for (const { path } of sources(...CODE_FOLDERS).filter(({ path }) => !isSupport(path)))
      counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    const full = [...counts].filter(([, count]) => count > MAX_FOLDER_FILES);
    expect(full.map(([folder, count]) => `${folder}: ${count}`)).toEqual([]);
  });

  test(`comments end within ${MAX_COMMENT_COLUMNS} columns`, () => {
    const wide = sources(...CODE_FOLDERS).flatMap(({ path, text }) =>
      text
        .split('\n')
        .map((line, index) => ({ line, at: `${path}:${index + 1}` }))
        .filter(({ line }) => line.length > MAX_COMMENT_COLUMNS)
        .filter(({ line }) => /^\s*(?:\/\/|\/?\*)|[;,{(]\s*\/\//.test(line))
        .map(({ at }) => at),
    );
    expect(wide).toEqual([]);
  });
});

describe('names and words', () => {
  test('no folder or file has a name that says nothing', () => {
    const vague = sources('src', 'console').filter(({ path }) =>
      /(?:^|\/)(?:utils?|helpers?|common|manager|misc)(?:\/|\.|-)/.test(path),
    );
    expect(vague.map(({ path }) => path)).toEqual([]);
  });

  test('no two files of the server share a name, outside the folders that mirror each other', () => {
    const paths = new Map<string, string[]>();
    for (const { path } of sources('src').filter((file) => !MIRRORED.test(file.path)))
      paths.set(basename(path), [...(paths.get(basename(path)) ?? []), path]);
    const twice = [...paths.values()].filter((same) => same.length > 1);
    expect(twice).toEqual([]);
  });

  test('no banned word is used', () => {
    const texts = [
      ...sources(...CODE_FOLDERS),
      ...filesOf('**/*.{sql,css,html}', 'src', 'console'),
      ...filesOf('**/*.md', 'docs'),
      ...filesOf('*.{md,yaml}', '.'),
    ];
    const found = texts
      .filter(({ path }) => path !== SELF)
      .flatMap(({ path, text }) =>
        text
          .split('\n')
          .map((line, index) => ({
            word: BANNED_WORDS.exec(line)?.[0],
            at: `${path}:${index + 1}`,
          }))
          .filter(({ word }) => word !== undefined)
          .map(({ word, at }) => `${at} ${word}`),
      );
    expect(found).toEqual([]);
  });

  test('errors for callers say provider; only operators read of upstreams', () => {
    // Messages about an invalid answer of an upstream only go to the log, so they may say
    // "upstream".
    const sentence = /^(?!.*(?:fail|failed|invalidAnswer)\(|.*fault).*['"`][A-Z][^'"`]*\bupstream/;
    const others =
      /^src\/(?!(?:protocols|relay|routing|upstreams|images|http\/(?:caller|edge))\/)|\/upstream-(?:probe|check)\.ts$|\.fixture\.ts$/;
    expect(uses(sentence, others)).toEqual([]);
  });
});

describe('effects', () => {
  test('only the configuration reads the environment', () => {
    expect(uses(/process\.env|Bun\.env|import\.meta\.env/, /^src\/config\//)).toEqual([]);
  });

  test('zod is imported as a namespace, of which a bundle keeps only what is used', () => {
    expect(uses(/^import \{ z \} from 'zod'/, /^$/)).toEqual([]);
  });

  test('only the clock reads the time, starts timers and draws random values', () => {
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

  test('the console writes no HTML of its own', () => {
    const html = sources('console/src').filter(({ text }) =>
      /dangerouslySetInnerHTML|\binnerHTML\b|insertAdjacentHTML|document\.write/.test(text),
    );
    expect(html.map(({ path }) => path)).toEqual([]);
  });

  test('no test is skipped or runs alone', () => {
    const idle = sources(...CODE_FOLDERS)
      .filter(({ path }) => isTest(path) && path !== SELF)
      .filter(({ text }) => /\b(?:test|it|describe)\.(?:skip|only|todo|if|skipIf)\b/.test(text));
    expect(idle.map(({ path }) => path)).toEqual([]);
  });
});
