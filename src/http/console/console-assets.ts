/** The files of the console's build. Requests can read only these files. */
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { getMimeType, mimes } from 'hono/utils/mime';
import { acceptedBy, type Encoding } from '../edge/compression.ts';

const PAGE = 'index.html';
/** The placeholder in `index.html` for the page's nonce. */
const NONCE_PLACEHOLDER = '%CSP_NONCE%';
/** Files in this folder have a content hash in their names, so their content never changes. */
const HASHED_FOLDER = 'assets/';
/** The tags of `index.html` that are replaced in each page. */
const HEAD = /<meta name="robots"[^>]*>\s*<title>[^<]*<\/title>/;
const ICON = /<link rel="icon"[^>]*>\s*/;
/** The logo and the name in the frame that is shown until the first screen is loaded. */
const FRAME = /<header><img src="[^"]*"([^>]*)>[^<]*<\/header>/;
const INLINE_SCRIPT = /<script>([\s\S]*?)<\/script>/g;

const MEDIA_TYPES = { ...mimes, svg: 'image/svg+xml' };
const UNKNOWN_TYPE = 'application/octet-stream';

/** The suffixes of compressed variants, ordered from the smallest file to the largest. */
const ENCODINGS = [
  { encoding: 'br', suffix: '.br' },
  { encoding: 'gzip', suffix: '.gz' },
] as const;

export type Variant = { readonly encoding: Encoding | null; readonly path: string };
export type Asset = {
  readonly mediaType: string;
  /** Whether the name has a content hash, so that caches may keep the file forever. */
  readonly isHashed: boolean;
  /** The entity tag of the content, which is the same for all variants. */
  readonly etag: string;
  /** The variants, the smallest first. The last one is uncompressed. */
  readonly variants: readonly Variant[];
};
export type Page = {
  /**
   * Returns the HTML of a page.
   * - `nonce` allows the page's style elements.
   * - `head` contains the tags for the page's URL.
   * - `brand` is shown until the first screen is loaded. If its `logo` is null, the product's logo
   *   is shown.
   */
  readonly html: (nonce: string, head: string, brand: PageBrand) => string;
  /** The hashes of the inline scripts, as a content security policy lists them: `'sha256-...'`. */
  readonly scriptHashes: readonly string[];
};
export type PageBrand = { readonly name: string; readonly logo: string | null };
export type Build = { readonly page: Page; readonly assets: ReadonlyMap<string, Asset> };

export class ConsoleAssets {
  readonly #folder: string;
  #read: { readonly version: string; readonly build: Build } | null = null;

  /** @param folder the folder of the build, which may be created later. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Returns the current build in the folder, and loads it if it has changed. Returns null if there
   * is no build.
   */
  async current(): Promise<Build | null> {
    const page = await stat(join(this.#folder, PAGE)).catch(() => null);
    if (page === null) return null;
    const version = `${page.ino} ${page.mtimeMs}`;
    if (this.#read?.version !== version) {
      this.#read = { version, build: await readBuild(this.#folder) };
    }
    return this.#read.build;
  }
}

async function readBuild(folder: string): Promise<Build> {
  const names = await namesIn(folder);
  const assets = await Promise.all(
    [...names]
      .filter((name) => name !== PAGE && !ENCODINGS.some(({ suffix }) => name.endsWith(suffix)))
      .map(async (name) => [name, await assetOf(folder, name, names)] as const),
  );
  return {
    page: pageOf(await readFile(join(folder, PAGE), 'utf8')),
    assets: new Map(assets),
  };
}

/** Returns the paths of all files in the folder, without dotfiles. */
async function namesIn(folder: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return new Set(
    entries
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/')),
  );
}

async function assetOf(folder: string, name: string, names: ReadonlySet<string>): Promise<Asset> {
  const path = join(folder, name);
  const isHashed = name.startsWith(HASHED_FOLDER);
  // A name with a hash identifies the content, so the file need not be read.
  const tag = createHash('sha256').update(isHashed ? name : await readFile(path));
  const compressed = ENCODINGS.filter(({ suffix }) => names.has(`${name}${suffix}`));
  return {
    mediaType: getMimeType(name, MEDIA_TYPES) ?? UNKNOWN_TYPE,
    isHashed,
    // The tag is weak, because the variants have the same content but not the same bytes.
    etag: `W/"${tag.digest('base64url')}"`,
    variants: [
      ...compressed.map(({ encoding, suffix }) => ({ encoding, path: `${path}${suffix}` })),
      { encoding: null, path },
    ],
  };
}

const OWN_LOGO = '/console/favicon.svg';

function pageOf(text: string): Page {
  return {
    html: (nonce, head, { name, logo }) => {
      const page = text.replaceAll(NONCE_PLACEHOLDER, nonce);
      const own = logo === null ? page : page.replace(ICON, '');
      const src = logo ?? OWN_LOGO;
      return own
        .replace(
          FRAME,
          (_, rest) => `<header><img src="${src}"${rest}>${Bun.escapeHTML(name)}</header>`,
        )
        .replace(HEAD, () => head);
    },
    scriptHashes: [...text.matchAll(INLINE_SCRIPT)].map(
      ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    ),
  };
}

/** Returns the smallest variant that `Accept-Encoding` accepts, or else the uncompressed file. */
export function variantFor(accepted: string | null, asset: Asset): Variant {
  const accepts = acceptedBy(accepted);
  const variant = asset.variants.find(({ encoding }) => encoding === null || accepts(encoding));
  if (variant === undefined) throw new Error('every asset has an uncompressed variant');
  return variant;
}
