/**
 * Vite plugin: moves the texts of all screens into one file per language and area (a folder of
 * screens), so that a browser loads only the texts that it shows. The development server leaves the
 * texts beside their screens.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Converter, CustomConverter } from 'opencc-js';
import { type Plugin, parseSync, Visitor } from 'vite';

const SOURCE = join(import.meta.dirname, 'src');
/** Matches the modules with the texts of an area, such as `virtual:texts/en/admin`. */
const VIRTUAL = /^\0?virtual:texts\/(en|zh|zh-TW)\/([\w-]+)$/;
const LANGUAGES = ['en', 'zh', 'zh-TW'];
const SHARED = 'shared';
const AREAS = [SHARED, ...readdirSync(join(SOURCE, 'screens'))];
/** The code in `i18n/texts.ts` into which the plugin inserts the loaders of all text files. */
const LOADERS = 'Promise<{ readonly default: Tables }>>> = {};';
const DEFINITION = /\bdefineTexts\(\s*'([^']+)'/g;
const AREA_OF_FILE = /^screens\/([\w-]+)\//;
const CALL = 'defineTexts(';
const TEXTS_MODULE = join(SOURCE, 'i18n/texts.ts');

const toTaiwan = Converter({ from: 'cn', to: 'twp' });
/** Replaces a character that the converter writes in a variant rarely used in Taiwan. */
const usual = CustomConverter([['賬', '帳']]);

export function textsPlugin(): Plugin {
  let isBuild = false;
  let all: Promise<Tables> | undefined;
  const areas = areasOfTexts();
  return {
    name: 'texts',
    enforce: 'pre',
    config(_config, { command }) {
      isBuild = command === 'build';
    },
    resolveId: (id) => (VIRTUAL.test(id) ? `\0${id}` : null),
    load: {
      filter: { id: VIRTUAL },
      async handler(id) {
        const [, language = '', area = ''] = VIRTUAL.exec(id) ?? [];
        // During development, modules define their own texts, except for those in traditional
        // Chinese, which are converted from simplified Chinese.
        if (isBuild || language === 'zh-TW') all ??= allTexts();
        const own = (await all)?.filter(({ namespace }) => areas.get(namespace) === area);
        return `export default ${JSON.stringify(textsIn(language, own ?? []))};`;
      },
    },
    transform: {
      filter: { id: /\/console\/src\// },
      handler(code, id) {
        if (id === TEXTS_MODULE) return withLoaders(code);
        return isBuild && code.includes(CALL) ? withoutTexts(code, id) : null;
      },
    },
  };
}

/** Maps the namespace of each call of `defineTexts` to the area of its file. */
function areasOfTexts(): ReadonlyMap<string, string> {
  const areas = new Map<string, string>();
  for (const path of new Bun.Glob('**/*.{ts,tsx}').scanSync(SOURCE)) {
    const [, area = SHARED] = AREA_OF_FILE.exec(path) ?? [];
    const code = readFileSync(join(SOURCE, path), 'utf8');
    for (const [, namespace = ''] of code.matchAll(DEFINITION)) areas.set(namespace, area);
  }
  return areas;
}

function withLoaders(code: string): string {
  if (!code.includes(LOADERS))
    throw new Error('i18n/texts.ts lacks the code into which this plugin inserts the loaders');
  const loaders = LANGUAGES.flatMap((language) => AREAS.map((area) => `${language}/${area}`)).map(
    (name) => `'${name}': () => import('virtual:texts/${name}'),`,
  );
  return code.replace(LOADERS, () => LOADERS.replace('{}', () => `{ ${loaders.join(' ')} }`));
}

type Tables = ReturnType<typeof import('./src/i18n/texts.ts')['definedTexts']>;

const textsIn = (language: string, tables: Tables) =>
  Object.fromEntries(
    tables.map(({ namespace, texts: { en, zh } }) => [namespace, wordsIn(language, en, zh)]),
  );

type Words = Tables[number]['texts']['en'];

function wordsIn(language: string, en: Words, zh: Words): Words {
  if (language === 'en') return en;
  if (language === 'zh') return zh;
  return Object.fromEntries(Object.entries(zh).map(([key, text]) => [key, usual(toTaiwan(text))]));
}

/**
 * A call that only Vite supports. Outside Vite, a call that returns no files replaces it, because
 * no text depends on those files.
 */
const GLOB = 'import.meta.glob';

/**
 * Returns all texts. It runs the modules that define texts, because parsing their code is not
 * enough: a module may derive its texts from those of another module.
 */
export async function allTexts(): Promise<Tables> {
  Bun.plugin({
    name: 'without-glob',
    setup: (build) =>
      void build.onLoad({ filter: /\/console\/src\/.*\.tsx?$/ }, async ({ path }) => ({
        contents: (await Bun.file(path).text()).replaceAll(GLOB, '(() => ({}))'),
        loader: path.endsWith('x') ? 'tsx' : 'ts',
      })),
  });
  for (const path of new Bun.Glob('**/*.{ts,tsx}').scanSync(SOURCE)) {
    if (path.endsWith('.test.ts')) continue;
    const file = join(SOURCE, path);
    if ((await Bun.file(file).text()).includes(CALL)) await import(file);
  }
  // Imports the module by a variable. Vite would bundle a literal path, and the bundled copy of the
  // module would have an empty list of texts.
  const { definedTexts }: typeof import('./src/i18n/texts.ts') = await import(TEXTS_MODULE);
  return definedTexts();
}

/**
 * Returns the module's code with each `defineTexts('name', { ... })` replaced by
 * `defineTexts('name')`.
 */
function withoutTexts(code: string, id: string): string {
  const removed: [number, number][] = [];
  const visitor = new Visitor({
    CallExpression({ callee, arguments: [name, texts] }) {
      if (callee.type !== 'Identifier' || callee.name !== 'defineTexts') return;
      if (name !== undefined && texts !== undefined) removed.push([name.end, texts.end]);
    },
  });
  visitor.visit(parseSync(id, code).program);
  return removed.reduceRight((left, [from, to]) => left.slice(0, from) + left.slice(to), code);
}
