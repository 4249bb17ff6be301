import { describe, expect, test } from 'bun:test';
import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { definitionsIn, splitBlocks } from './blocks.ts';
import { linkTarget } from './link-target.ts';

// The imported module reads the saved language from browser storage, which tests do not have.
Object.assign(globalThis, { localStorage: { getItem: () => 'en' } });
const { Markdown } = await import('./markdown.tsx');

const rendered = (text: string, isGrowing = false): string =>
  renderToStaticMarkup(
    createElement(MantineProvider, null, createElement(Markdown, { text, isGrowing })),
  ).replace(/<style[\s\S]*?<\/style>/g, '');

describe('untrusted answers', () => {
  test('HTML is displayed as text', () => {
    const html = rendered('Hi <script>alert(1)</script> <img src=x onerror=alert(1)>\n\n<b>no</b>');
    expect(html).not.toMatch(/<script|<img|<b>|<[a-z]+[^>]*onerror/);
    expect(html).toContain('&lt;script&gt;');
  });

  test('an image is not loaded, its address is displayed', () => {
    const html = rendered('![a cat](https://spy.example/x.png?said=secret)');
    expect(html).not.toMatch(/<img|src=|url\(|<link/);
    expect(html).toContain('https://spy.example/x.png?said=secret');
    expect(html).toContain('a cat');
  });

  test('links lead only to websites and email, without a referrer', () => {
    const html = rendered('[a](https://a.example/x) https://b.example [c](mailto:c@d.example)');
    expect(html.match(/<a [^>]*>/g)).toHaveLength(3);
    for (const [anchor] of html.matchAll(/<a [^>]*>/g)) {
      expect(anchor).toContain('rel="noreferrer noopener"');
      expect(anchor).toContain('target="_blank"');
    }
    for (const address of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'file:///etc/passwd',
      'blob:https://a.example/1',
      '//a.example',
      '/console/keys',
      '#top',
      '',
    ]) {
      expect(linkTarget(address)).toBeNull();
      expect(rendered(`[x](<${address}>)`)).not.toContain('<a ');
    }
  });
});

describe('Markdown', () => {
  test('a block that is nested too deep is displayed as plain text', () => {
    const deep = 3_000;
    for (const text of [
      `${'>'.repeat(deep)} end`,
      `${'- '.repeat(deep)}end`,
      `${'1. '.repeat(deep)}end`,
      Array.from({ length: 200 }, (_, level) => `${'  '.repeat(level)}- end`).join('\n'),
      Array.from({ length: 200 }, (_, level) => `${'\t'.repeat(level)}- end`).join('\n'),
      `${'['.repeat(deep)}end${'](b)'.repeat(deep)}`,
      `${'!['.repeat(deep)}end${'](b)'.repeat(deep)}`,
      `${'*'.repeat(deep)}end${'*'.repeat(deep)}`,
      `${'*_'.repeat(deep)}end${'_*'.repeat(deep)}`,
    ]) {
      const html = rendered(`before\n\n${text}\n\n*after*`);
      expect(html).toContain('<em>after</em>');
      expect(html).toContain('end');
      expect(html).not.toMatch(/<(?:blockquote|ul|ol|a|strong) ?/);
    }
    const shallow = `${'> '.repeat(40)}end\n\n${'- '.repeat(40)}end\n\n${'[x](https://a.example) '.repeat(90)}`;
    const html = rendered(shallow);
    expect(html.match(/<(?:blockquote|ul)/g)).toHaveLength(80);
    expect(html.match(/<a /g)).toHaveLength(90);
  });

  test('a paragraph with too many markers is displayed as plain text', () => {
    for (const mark of ['*a_ ', 'a* ', '**a* _b*\n', 'a] ', '` `` ', '_a ', '> a~\n', 'a\n---\n']) {
      const html = rendered(`before\n\n${mark.repeat(2_000)}\n\n*after*`);
      expect(html).toContain('<em>after</em>');
      expect(html).not.toMatch(/<(?:strong|code|blockquote|h2)/);
    }
    const rich = `${'- **a** `b`\n'.repeat(300)}\n\`\`\`\n${'*a_ '.repeat(2_000)}\n\`\`\`\n`;
    const html = rendered(`${rich}\n${'snake_case_name '.repeat(600)}\n*after*`);
    expect(html.match(/<strong/g)).toHaveLength(300);
    expect(html).toContain('<em>after</em>');
  });

  test('rendering by blocks equals rendering the whole text', () => {
    const text = [
      '# Title',
      'See [it][1] and **this**.\nA second line.',
      '- one\n\n  more\n- two\n  1. deep',
      '| a | b |\n| - | - |\n| 1 | 2 |',
      '> quoted\n>\n> more',
      '```ts\nconst a = 1;\n\nconst b = 2;\n```',
      '[1]: https://a.example/page',
      'The end.',
    ].join('\n\n');
    const plain = (markdown: string) =>
      renderToStaticMarkup(createElement(ReactMarkdown, { remarkPlugins: [remarkGfm] }, markdown));
    const { blocks, definitions } = splitBlocks(text);
    const joined = blocks
      .map((block) => plain(`${block}\n\n${definitionsIn(block, definitions)}`))
      .join('\n');
    const spaceless = (html: string) => html.replace(/\s+/g, ' ').trim();
    expect(spaceless(joined)).toBe(spaceless(plain(text)));
    expect(rendered(text)).toContain('href="https://a.example/page"');
  });

  test('closes open markers while streaming, and leaves finished text unchanged', () => {
    expect(rendered('a **bold', true)).toContain('<strong>bold</strong>');
    expect(rendered('a **bold', false)).toContain('**bold');
    expect(rendered('see [this](https://a.exam', true)).not.toContain('https://a.exam');
  });

  test('code is rendered verbatim', () => {
    const html = rendered('```html\n<b>&amp;</b>\n\nx\n```');
    expect(html).toContain('&lt;b&gt;&amp;amp;&lt;/b&gt;');
    expect(html).toContain('>html<');
  });

  test('footnote ids are unique per answer, and headings share one level', () => {
    const html = rendered('# A\n\n### B[^1]\n\n[^1]: note');
    expect(html).not.toMatch(/<h[124-6]/);
    expect(html).not.toContain('id="user-content');
  });
});
