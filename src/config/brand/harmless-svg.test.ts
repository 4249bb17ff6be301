import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cleaned, harmlessSvg } from './harmless-svg.ts';

const of = (inside: string, attributes = ''): Cleaned =>
  harmlessSvg(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"${attributes}>${inside}</svg>`,
  );
const EMPTY = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"></svg>';
const svg = (cleaned: Cleaned): string => ('svg' in cleaned ? cleaned.svg : cleaned.problem);

test('a drawing stays as it is', () => {
  const file = join(import.meta.dir, '../../../console/public/favicon.svg');
  const logo = readFileSync(file, 'utf8').trim();
  expect(svg(harmlessSvg(logo))).toBe(logo);
  const drawing =
    '<defs><linearGradient id="a" x1="0%" gradientTransform="rotate(45 1,2)"><stop offset=".5" stop-color="rgb(1, 2, 3)"/></linearGradient></defs><path d="M7 23V-1.5e2z" fill="url(#a)"/><text x="1">A &amp; B &#65;</text>';
  expect(svg(of(drawing))).toBe(EMPTY.replace('><', `>${drawing}<`));
});

test('notes of drawing programs are left out, and styles become attributes', () => {
  const drawn = `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://x/"><!-- made by x -->
    <svg xmlns:ink="http://ink" viewBox='0 0 1 1' ink:version="1" enable-background="new">
    <metadata><rdf:RDF><a>text</a></rdf:RDF></metadata><ink:view/>
    <g style="fill:#fff; -ink-x: 1; stroke : none"><path d="M0 0"/></g></svg>`;
  expect(svg(harmlessSvg(drawn))).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><g fill="#fff" stroke="none"><path d="M0 0"/></g></svg>',
  );
});

describe('nothing that runs or loads remains', () => {
  test.each([
    '<script>alert(1)</script>',
    '<script href="http://evil/x.js"/>',
    '<metadata><script>alert(1)</script></metadata>',
    '<svg:script>alert(1)</svg:script>',
    '<!-- <script>alert(1)</script> -->',
  ])('%s is left out', (inside) => {
    expect(svg(of(inside))).toBe(EMPTY);
  });

  test.each([
    ['<path onload="alert(1)" d="M0 0"/>', '<path d="M0 0"/>'],
    ['<path fill="url(http://evil)"/>', '<path/>'],
    ['<path fill="url( #a )"/>', '<path/>'],
    ['<path fill="u&#114;l(http://evil)"/>', '<path/>'],
    ['<path style="fill:url(//evil);stroke:red"/>', '<path stroke="red"/>'],
    ['<path style="fill:\\75rl(//evil)"/>', '<path/>'],
    ['<path fill="image-set(\'//evil\')"/>', '<path/>'],
    ['<path fill="expression(alert(1))"/>', '<path/>'],
    ['<path xlink:href="http://evil" href="//evil"/>', '<path/>'],
    ['<path font-family="@import //evil"/>', '<path/>'],
    ['<g id="x:y"><path/></g>', '<g><path/></g>'],
  ])('%s', (inside, expected) => {
    expect(svg(of(inside))).toBe(EMPTY.replace('><', `>${expected}<`));
  });

  test.each([
    '<style>@import url(//evil)</style>',
    '<foreignObject><div/></foreignObject>',
    '<image href="//evil"/>',
    '<use href="//evil#a"/>',
    '<a href="javascript:alert(1)"><path/></a>',
    '<animate attributeName="href" to="javascript:alert(1)"/>',
    '<iframe src="//evil"/>',
    '<filter><feImage href="//evil"/></filter>',
  ])('%s is refused by name', (inside) => {
    const name = /<(\w+)/.exec(inside)?.[1];
    expect(of(inside)).toEqual({
      problem: `has <${name}>, which a logo cannot have; export it as plain paths`,
    });
  });

  test.each([
    '',
    'text',
    '<path/>',
    '<svg>',
    '<svg></svg><svg></svg>',
    '<svg><g></svg></g>',
    '<svg><path d="</svg>',
    '<svg a=b></svg>',
    '<svg><title>&evil;</title></svg>',
    '<svg><title>a & b</title></svg>',
    '<svg><![CDATA[<script>]]></svg>',
    '<!DOCTYPE svg [<!ENTITY x "y">]><svg></svg>',
    '<svg><path\u0000/></svg>',
  ])('%j is not well-formed', (source) => {
    expect(harmlessSvg(source)).toEqual({ problem: 'is not well-formed SVG' });
  });

  test('deep nesting and long hostile texts end', () => {
    expect(of('<g>'.repeat(50) + '</g>'.repeat(50))).toEqual({ problem: 'is nested too deep' });
    expect(svg(of(`<path d="${'('.repeat(60_000)}"/>`))).toContain('<path/>');
    expect(of(`<path ${'a '.repeat(30_000)}`)).toEqual({ problem: 'is not well-formed SVG' });
  });
});
