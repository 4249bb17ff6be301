/** `/llms.txt`, made from the routes and the catalogue themselves, so that it cannot drift from them. */

import type { Route } from '../edge/route.ts';
import { type LlmsText, llmsText } from './llms-text.ts';

export type LlmsDeps = {
  readonly text: () => LlmsText;
};

/** Prices stand in it, which must not be read from an old copy for long. */
const HEADERS = {
  'content-type': 'text/markdown; charset=utf-8',
  'cache-control': 'public, max-age=60',
} as const;

export const llmsRoutes = ({ text }: LlmsDeps): readonly Route[] => [
  {
    method: 'GET',
    path: '/llms.txt',
    auth: 'public',
    dialect: 'both',
    doc: {
      summary: 'What this gateway is and sells, for language models',
      tag: 'service',
      mediaTypes: ['text/markdown'],
    },
    handle: async () => new Response(llmsText(text()), { headers: HEADERS }),
  },
];
