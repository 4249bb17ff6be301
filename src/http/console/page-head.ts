/** The HTML head of console pages, for search engines and link previews, which run no scripts. */
import type { Card, Catalogue, Channel, Model } from '../../catalogue/catalogue.ts';
import {
  type BrandPage,
  brandWords,
  logoPath,
  pagesIn,
  styleOf,
} from '../../config/brand/brand.ts';
import { type Brand, DEFAULT_NAME } from '../../config/brand/brand-schema.ts';
import { CONSOLE_PATH, type Route } from '../edge/route.ts';

export type PublicPages = {
  /** The catalogue; null if callers need a key to read it. */
  readonly catalogue: Catalogue | null;
  readonly isStatusPublic: boolean;
  readonly publicUrl: string;
  /** Whether search engines may list public pages (`console.indexable`). */
  readonly isIndexable: boolean;
  readonly brand: Brand;
};

/** The guides for clients, by path: the title and the description of each page. */
const GUIDES = {
  'openai-sdk': [
    'OpenAI SDK',
    'Base URL, streaming, tools, images and files in Node, Python and curl.',
  ],
  'anthropic-sdk': [
    'Anthropic SDK',
    'Base URL, streaming, tools and thinking in Node, Python and curl.',
  ],
  'openai-agents': ['OpenAI Agents SDK', 'Agents with tools and handoffs in Python and Node.'],
  'ai-sdk': ['AI SDK', 'Providers, streaming, tools and images in TypeScript.'],
  langchain: ['LangChain', 'Chat models, tools and structured output in TypeScript.'],
  python: [
    'LangChain, LlamaIndex, pydantic-ai, LiteLLM',
    'Python frameworks with every chat model.',
  ],
  'go-java': ['Go and Java', 'The official libraries of OpenAI and Anthropic.'],
  'claude-code': ['Claude Code', 'Claude Code with every chat model of the gateway.'],
  codex: ['Codex', 'Codex over the Responses API with every chat model of the gateway.'],
  'gemini-cli': ['Gemini CLI', 'Clients of the Gemini API with every chat model of the gateway.'],
  agents: [
    'opencode, Cline, Continue, Qwen Code, aider, Cursor',
    'How to configure coding agents.',
  ],
  embeddings: ['Embeddings', 'Embeddings with the OpenAI SDK, the AI SDK and LangChain.'],
  'chat-apps': ['Cherry Studio, Open WebUI, Dify', 'How to configure chat applications.'],
} as const;
const TEXT_PAGES: Readonly<Record<BrandPage, string>> = {
  terms: 'Terms of service',
  privacy: 'Privacy policy',
};
/** Maximum characters of a description. Search engines truncate longer descriptions. */
const MAX_DESCRIPTION = 160;
/** Maximum number of addresses in a sitemap (sitemaps.org, "Sitemap file limits"). */
const MAX_ADDRESSES = 50_000;

type Words = { readonly title: string; readonly description: string };

/**
 * Returns the tags of a page: its title, the brand and, if the page is public, its description and
 * address.
 * @param nonce allows the style element of the brand.
 */
export function pageHead(pathname: string, pages: PublicPages, nonce: string): string {
  const words = wordsOf(pathname, pages);
  const { name: site } = pages.brand;
  const robots = words === null || !pages.isIndexable ? 'noindex' : 'index, follow';
  const title = words === null ? site : `${words.title} · ${site}`;
  const tags = [
    `<meta name="robots" content="${robots}" />`,
    `<title>${escaped(title)}</title>`,
    ...brandTags(pages.brand, nonce),
  ];
  if (words === null) return tags.join('\n    ');
  const address = pages.publicUrl + pathname.replace(/\/$/, '');
  const properties = {
    'og:type': 'website',
    'og:site_name': site,
    'og:title': words.title,
    'og:description': words.description,
    'og:url': address,
    ...imageOf(pages),
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

/** Returns the tags for the parts of the brand that differ from the product's own. */
function brandTags(brand: Brand, nonce: string): readonly string[] {
  const [logo, style] = [logoPath(brand), styleOf(brand)];
  return [
    ...(brand.name === DEFAULT_NAME
      ? []
      : [`<meta name="application-name" content="${escaped(brand.name)}" />`]),
    ...(logo === null || brand.logo === null
      ? []
      : [`<link rel="icon" href="${logo}" type="${brand.logo.mediaType}" />`]),
    ...(style === null ? [] : [`<style nonce="${nonce}">${style}</style>`]),
  ];
}

const imageOf = ({ brand, publicUrl }: PublicPages) => {
  const { logoUrl } = brandWords(brand, publicUrl);
  return logoUrl === null ? {} : { 'og:image': logoUrl };
};

/** Returns the title and the description of a public page; null if the page is not public. */
function wordsOf(pathname: string, pages: PublicPages): Words | null {
  const path = pathname.replace(/\/$/, '').slice(CONSOLE_PATH.length);
  const own = pagesOf(pages).find((page) => page.path === path);
  return own ?? null;
}

/** Lists the public pages, in the order of the sitemap. */
function pagesOf({ catalogue, isStatusPublic, brand }: PublicPages): readonly (Words & {
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
    description: 'The current health of every model and channel, the last 90 days, and incidents.',
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
    ...Object.entries(GUIDES).map(([name, [products, description]]) => ({
      path: `/quick-start/${name}`,
      title: `Set up ${products}`,
      description,
    })),
    ...pagesIn(brand).map((name) => ({
      path: `/${name}`,
      title: TEXT_PAGES[name],
      description: `${TEXT_PAGES[name]} of ${brand.name}.`,
    })),
  ];
}

/**
 * Returns the price on the default channel as a sentence; empty if the model has no such channel.
 */
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

/**
 * Serves `/robots.txt` and `/sitemap.xml` for search engines. The sitemap lists the public pages.
 */
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
    route('/robots.txt', 'Read which paths search engines may visit', 'text/plain', () =>
      robots(pages()),
    ),
    route('/sitemap.xml', 'List the public pages, for search engines', 'application/xml', () =>
      sitemap(pages()),
    ),
  ];
}

/**
 * Returns `/robots.txt`. If public pages may be listed, it disallows only the administrators' API,
 * since the pages need the rest of the API to render. Otherwise it disallows every path.
 */
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
