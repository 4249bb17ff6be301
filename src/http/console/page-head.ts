/** What search engines and link previews read of the console's pages, which run no scripts. */
import type { Card, Catalogue, Channel, Model } from '../../catalogue/catalogue.ts';
import { CONSOLE_PATH, type Route } from '../edge/route.ts';

export type PublicPages = {
  /** The catalogue; null if it requires a key. */
  readonly catalogue: Catalogue | null;
  readonly isStatusPublic: boolean;
  readonly publicUrl: string;
  /** Whether search engines may list public pages (`console.indexable`). */
  readonly isIndexable: boolean;
};

const SITE = 'Modelgate';
/** Search engines cut longer descriptions. */
const MAX_DESCRIPTION = 160;
/** The most addresses of a sitemap (sitemaps.org, "Sitemap file limits"). */
const MAX_ADDRESSES = 50_000;

type Words = { readonly title: string; readonly description: string };

/** Returns the tags of a page: its title and, if it is public, its description and address. */
export function pageHead(pathname: string, pages: PublicPages): string {
  const words = wordsOf(pathname, pages);
  const robots = words === null || !pages.isIndexable ? 'noindex' : 'index, follow';
  const title = words === null ? SITE : `${words.title} · ${SITE}`;
  const tags = [`<meta name="robots" content="${robots}" />`, `<title>${escaped(title)}</title>`];
  if (words === null) return tags.join('\n    ');
  const address = pages.publicUrl + pathname.replace(/\/$/, '');
  const properties = {
    'og:type': 'website',
    'og:site_name': SITE,
    'og:title': words.title,
    'og:description': words.description,
    'og:url': address,
  };
  return [
    ...tags,
    `<meta name="description" content="${escaped(words.description)}" />`,
    `<link rel="canonical" href="${escaped(address)}" />`,
    ...Object.entries(properties).map(
      ([name, value]) => `<meta property="${name}" content="${escaped(value)}" />`,
    ),
    '<meta name="twitter:card" content="summary" />',
  ].join('\n    ');
}

/** Returns the words of a public page; null if strangers cannot see the page. */
function wordsOf(pathname: string, pages: PublicPages): Words | null {
  const path = pathname.replace(/\/$/, '').slice(CONSOLE_PATH.length);
  const own = pagesOf(pages).find((page) => page.path === path);
  return own ?? null;
}

/** Lists the public pages, in the order of the sitemap. */
function pagesOf({ catalogue, isStatusPublic }: PublicPages): readonly (Words & {
  readonly path: string;
})[] {
  const models = catalogue === null ? [] : [...catalogue.models.values()];
  const reference = {
    path: '/reference',
    title: 'API reference',
    description:
      'Every endpoint and field, with samples: OpenAI chat completions, Responses, images and embeddings, Anthropic Messages and the Gemini API.',
  };
  const status = {
    path: '/status',
    title: 'Status',
    description: 'The health of every model and channel now, over 90 days, and incidents.',
  };
  const names = models.map(({ name }) => name).join(', ');
  const list = {
    path: '/models',
    title: 'AI models and prices',
    description: short(`${models.length} models with prices, limits and uptime: ${names}.`),
  };
  const comparison = {
    path: '/models/compare',
    title: 'Compare AI models',
    description: short(`Prices, limits and speed side by side: ${names}.`),
  };
  return [
    ...(catalogue === null ? [] : [list, comparison]),
    ...models.map((model) => ({
      path: `/models/${encodeURIComponent(model.id)}`,
      title: `${model.name}: price, limits and uptime`,
      description: short(
        `${model.description?.en ?? `${model.name} by ${model.maker}.`} ${priceOf(model)}`,
      ),
    })),
    ...(isStatusPublic ? [status] : []),
    reference,
  ];
}

/** Returns the price on the default channel as a sentence. */
function priceOf({ channels, defaultChannel }: Model): string {
  const card = [...channels.values()].find(
    ({ name }: Channel<Card>) => name === defaultChannel,
  )?.card;
  if (card === undefined) return '';
  if (card.unit === 'image') return `From $${Object.values(card.listed)[0]} per image.`;
  const { input, output } = card.listed;
  return output === null
    ? `$${input} per 1M tokens.`
    : `$${input} per 1M input tokens, $${output} per 1M output tokens.`;
}

const short = (text: string): string =>
  text.length <= MAX_DESCRIPTION ? text : `${text.slice(0, MAX_DESCRIPTION - 1).trimEnd()}…`;

const escaped = (text: string): string => Bun.escapeHTML(text);

const CACHE = { 'cache-control': 'public, max-age=3600' } as const;

/** Serves `/robots.txt` and `/sitemap.xml`, which list the public pages for search engines. */
export function crawlerRoutes(pages: () => PublicPages): readonly Route[] {
  const route = (path: string, summary: string, type: string, body: () => string): Route => ({
    method: 'GET',
    path,
    auth: 'public',
    dialect: 'both',
    doc: { summary, tag: 'service', mediaTypes: [type] },
    handle: async () =>
      new Response(body(), { headers: { ...CACHE, 'content-type': `${type}; charset=utf-8` } }),
  });
  return [
    route('/robots.txt', 'What search engines may read', 'text/plain', () => robots(pages())),
    route('/sitemap.xml', 'The public pages', 'application/xml', () => sitemap(pages())),
  ];
}

/** Pages need the API to render, so only what is for administrators is closed to crawlers. */
const robots = ({ isIndexable, publicUrl }: PublicPages): string =>
  isIndexable
    ? `User-agent: *\nDisallow: /admin/\n\nSitemap: ${publicUrl}/sitemap.xml\n`
    : 'User-agent: *\nDisallow: /\n';

const sitemap = (pages: PublicPages): string => {
  const listed = pages.isIndexable ? pagesOf(pages).slice(0, MAX_ADDRESSES) : [];
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...listed.map(
      ({ path }) => `<url><loc>${escaped(pages.publicUrl + CONSOLE_PATH + path)}</loc></url>`,
    ),
    '</urlset>\n',
  ].join('\n');
};
