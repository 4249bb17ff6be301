/**
 * Vite plugin for `index.html`. Lists the files of each page and language in it, so that the
 * browser requests these files at once. Moves the style sheet, so that it does not delay the first
 * paint.
 */
import { basename, dirname, join } from 'node:path';
import { type IndexHtmlTransformContext, type Plugin, parseSync, Visitor } from 'vite';

/** The placeholder in `index.html`, which the build replaces with the lists of files. */
const PLACEHOLDER = 'const FILES = { texts: {}, shell: [], pages: [] };';
/**
 * The style sheet is placed before this element. So the console's static frame, which comes
 * earlier, is painted without the sheet, and the styles of later elements override the sheet.
 */
const ROOT = '\n    <div id="root"></div>';
const STYLE_SHEET = /\s*<link rel="stylesheet"[^>]*>/g;
const TEXTS = /^\0virtual:texts\/(.+)$/;
/**
 * Maps the variable of a parent route to the path that its child routes begin with. A parent route
 * that is not listed adds nothing to the paths of its child routes.
 */
const PARENT_PATHS: Readonly<Record<string, string>> = { adminRoute: 'admin/' };

/** The parent routes of pages that are shown without the console's frame. */
const WITHOUT_SHELL = ['plainRoute', 'openRoute'];
const SHELL = /\/src\/shell\/app-shell\.tsx$/;

type Bundle = NonNullable<IndexHtmlTransformContext['bundle']>;
/** A page: a pattern for its path below `/console/`, and the module of its screen. */
type Screen = {
  readonly pattern: string;
  /** The area whose texts the screen shows. */
  readonly area: string;
  readonly module: string;
  readonly isInShell: boolean;
};

export function pagePlugin(): Plugin {
  const screens: Screen[] = [];
  return {
    name: 'page',
    enforce: 'pre',
    transform: {
      filter: { id: /\/screens\/\w[\w-]*\/routes\.ts$/ },
      handler(code, id) {
        screens.push(...screensIn(code, id));
      },
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        if (bundle === undefined) return html;
        const files = JSON.stringify(filesOf(bundle, screens));
        const sheets = html.match(STYLE_SHEET) ?? [];
        return html
          .replace(PLACEHOLDER, () => `const FILES = ${files};`)
          .replaceAll(STYLE_SHEET, '')
          .replace(ROOT, () => `${sheets.join('')}${ROOT}`);
      },
    },
  };
}

/**
 * Finds the screens of a `routes.ts`, which creates each of them with `createRoute({ path:
 * 'keys/$id', component: lazyScreen(() => import('./keys.tsx')) })`.
 */
function screensIn(code: string, id: string): readonly Screen[] {
  const screens: Screen[] = [];
  let path = '';
  let isInShell = false;
  const visitor = new Visitor({
    Property({ key, value }) {
      if (key.type !== 'Identifier') return;
      if (key.name === 'getParentRoute') {
        const parent = code.slice(value.start, value.end).replace('() => ', '');
        path = PARENT_PATHS[parent] ?? '';
        isInShell = !WITHOUT_SHELL.includes(parent);
      }
      if (key.name === 'path' && value.type === 'Literal') path += value.value;
    },
    ImportExpression({ source }) {
      if (source.type !== 'Literal') return;
      const pattern = `^${path.replace(/^\/$/, '').replaceAll(/\$\w+/g, '[^/]+')}$`;
      const folder = dirname(id);
      const module = join(folder, String(source.value));
      screens.push({ pattern, area: basename(folder), module, isInShell });
    },
  });
  visitor.visit(parseSync(id, code).program);
  return screens;
}

/**
 * Returns the files to preload: the texts of each language and area, the scripts of the console's
 * frame, and those of each page.
 */
function filesOf(bundle: Bundle, screens: readonly Screen[]) {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
  const entry = chunks.find(({ isEntry }) => isEntry);
  const closureOf = (file: string, seen = new Set<string>()): ReadonlySet<string> => {
    if (seen.has(file)) return seen;
    seen.add(file);
    for (const other of chunks.find(({ fileName }) => fileName === file)?.imports ?? []) {
      closureOf(other, seen);
    }
    return seen;
  };
  const first = closureOf(entry?.fileName ?? '');
  const texts = chunks.flatMap(({ facadeModuleId, fileName }) => {
    const [, name] = TEXTS.exec(facadeModuleId ?? '') ?? [];
    return name === undefined ? [] : [[name, fileName] as const];
  });
  const filesOfModule = (isIt: (module: string) => boolean): readonly string[] => {
    const chunk = chunks.find(({ facadeModuleId }) => isIt(facadeModuleId ?? ''));
    if (chunk === undefined)
      throw new Error(`no chunk of the build begins with a module that matches ${isIt}`);
    return [...closureOf(chunk.fileName)].filter((file) => !first.has(file));
  };
  const shell = filesOfModule((module) => SHELL.test(module));
  const pages = screens.map(({ pattern, area, module, isInShell }) => {
    const files = filesOfModule((other) => other === module);
    return [pattern, area, [...new Set([...files, ...(isInShell ? shell : [])])]];
  });
  return { texts: Object.fromEntries(texts), shell, pages };
}
