/** Tests that untrusted model output is displayed, but never executed, followed or fetched. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import {
  type ScriptedUpstream,
  startScriptedUpstream,
} from '../support/upstreams/scripted-upstream.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { goTo, settled } from './support/settled.ts';
import { during } from './support/visit.ts';

const ANSWER = [
  '<script>window.smuggled = "script"</script>',
  '<img src=x onerror="window.smuggled = \'picture\'">',
  '<svg onload="window.smuggled = \'drawing\'"></svg>',
  '![seen](https://elsewhere.test/seen.png?what=you-said)',
  '[press me](javascript:window.smuggled="link")',
  '[and me](data:text/html,<script>window.smuggled="page"</script>)',
  '[honest](https://example.com/page)',
  '<iframe src="https://elsewhere.test"></iframe>',
  '<style>body { display: none }</style>',
  '```html\n<script>window.smuggled = "code"</script>\n```',
  'The end.',
].join('\n\n');

let upstream: ScriptedUpstream;
let installation: Installation;
beforeAll(async () => {
  upstream = await startScriptedUpstream();
  installation = await openInstallation({ config: upstream.config() });
}, OPENING_MS);
afterAll(async () => {
  await installation[Symbol.asyncDispose]();
  upstream.stop();
});

/** Returns the text as a stream. Its chunks are so short that they split tags and links. */
function streamed(text: string): Response {
  const pieces = text.match(/[\s\S]{1,7}/g) ?? [];
  const chunk = (choice: object, more: object = {}): string =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [choice], ...more })}\n\n`;
  const events = [
    ...pieces.map((content) => chunk({ index: 0, delta: { content }, finish_reason: null })),
    chunk({ index: 0, delta: {}, finish_reason: 'stop' }),
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage: { prompt_tokens: 9, completion_tokens: 99, total_tokens: 108 } })}\n\n`,
    'data: [DONE]\n\n',
  ];
  return new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } });
}

test('markup in an answer is displayed as text, and its links are restricted', async () => {
  upstream.script(() => streamed(ANSWER));
  await during(installation.visit(), async (page) => {
    await goTo(page, '/console/playground?model=scripted-chat');
    await page.getByLabel('Message', { exact: true }).fill('Smuggle something');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const answer = page.getByRole('article').last();
    await answer.getByText('The end.', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    await settled(page);

    expect(await page.evaluate(() => 'smuggled' in window)).toBe(false);
    for (const tag of ['script', 'iframe', 'svg[onload]', 'style', 'img']) {
      expect([tag, await answer.locator(tag).count()]).toEqual([tag, 0]);
    }
    const links = await answer
      .locator('a[href]')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    expect(links.filter((href) => /^(?:javascript|data|vbscript):/i.test(href))).toEqual([]);
    const honest = answer.getByRole('link', { name: 'honest' });
    expect(await honest.getAttribute('href')).toBe('https://example.com/page');
    expect(await honest.getAttribute('rel')).toContain('noreferrer');
    expect(await honest.getAttribute('target')).toBe('_blank');
  });
});
