import { expect, test } from 'bun:test';
import { loadCatalogue } from '../../catalogue/load-catalogue.ts';
import { changedFile, SMALL_FILE, settingsOf } from '../../config/file.fixture.ts';
import { edgeOf } from '../edge/edge.fixture.ts';
import type { Route } from '../edge/route.ts';
import { type LlmsText, llmsRoutes } from './llms-routes.ts';

const route = (method: 'GET' | 'POST', path: string, tag: Route['doc']['tag']): Route => ({
  ...{ method, path, auth: 'public', dialect: 'both' },
  doc: { summary: `About ${path}`, tag },
  handle: async () => new Response(),
});
const ROUTES: readonly Route[] = [
  route('POST', '/v1/chat/completions', 'chat'),
  route('POST', '/v2/chat/completions', 'chat'),
  route('GET', '/v1/models/:id{.+}', 'catalogue'),
  { ...route('GET', '/openai/models/:id{.+}', 'catalogue'), isAlias: true },
  route('GET', '/admin/v1/accounts', 'admin'),
];
const catalogue = loadCatalogue(settingsOf(SMALL_FILE), 0);

async function asked(more: Partial<LlmsText> = {}) {
  const own = { name: 'Modelgate', publicUrl: 'https://gate.example' };
  const text = () => ({ ...own, routes: ROUTES, catalogue, ...more });
  const answer = await edgeOf(llmsRoutes(text)).fetch(new Request('http://gate/llms.txt'));
  return { type: answer.headers.get('content-type'), text: await answer.text() };
}

test('is Markdown with a title and a summary', async () => {
  const { type, text } = await asked();
  expect(type).toBe('text/markdown; charset=utf-8');
  expect(text).toMatch(/^# Modelgate\n\n> \S/);
});

test('lists each endpoint for callers once, and none for administrators', async () => {
  const { text } = await asked();
  const listed = text.split('\n').filter((line) => /^- `(?:GET|POST)/.test(line));
  expect(listed).toEqual([
    '- `POST /v1/chat/completions`: About /v1/chat/completions',
    '- `GET /v1/models/:id`: About /v1/models/:id{.+}',
  ]);
});

test('lists every model with prices, unless the catalogue requires a key', async () => {
  const { text } = await asked();
  expect(text).toContain('- `gen-x` (gen-x, by gen): chat; accepts text; context of 1000 tokens');
  expect(text).toContain('  - direct (default): input 5.00, output 25.00');
  expect((await asked({ catalogue: null })).text).not.toContain('gen-x');
});

test('lists the conditions and fees of a price', async () => {
  const terms = `price: { input: "5.00", output: "25.00", fees: { web_search: "0.01" },
    rows: [{ when: { tier: priority }, scale: "2" }, { when: { prompt_over: 9 }, input: "1", output: "2" }, { when: { tier: priority, prompt_over: 9 }, input: "-", output: "-" }],
    times: [{ when: { geo: us }, tokens: "1.1" }] }`.replaceAll(/\s*\n\s*/g, ' ');
  const file = changedFile('price: { input: "5.00", output: "25.00" }', terms);
  const { text } = await asked({ catalogue: loadCatalogue(settingsOf(file), 0) });
  expect(text).toContain(`
  - direct (default): input 5.00, output 25.00
    - tier: priority: input 10.00, output 50.00
    - prompt_over: 9: input 1.00, output 2.00
    - tier: priority, prompt_over: 9: not sold
    - geo: us: tokens times 1.1
    - web_search: 0.01 per use
`);
});

test('uses the public URL', async () => {
  const { text } = await asked();
  expect(text).toContain('- OpenAI clients: `https://gate.example/v2`');
  expect(text).toContain('(https://gate.example/openapi.json)');
});
