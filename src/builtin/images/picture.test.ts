import { expect, test } from 'bun:test';
import { footingOf, settingOf } from '../draw/setting.ts';
import { readWish } from '../draw/wish.ts';
import { sceneSvg } from './picture.ts';

const svgOf = (prompt: string, { fine = false, seed = 'a' } = {}): string =>
  sceneSvg(settingOf(readWish(prompt)), { width: 1024, height: 1024, style: 'vivid', fine, seed });

const SUBJECTS =
  'cat dog bird fish butterfly flower tree cube sphere pyramid heart house lighthouse boat balloon ' +
  'rocket robot car person astronaut apple cup';
const SCENES = [
  'space',
  'a lake in the mountains at dawn',
  'forest in the snow',
  'a city at night with rain',
  'the desert under a rainbow',
  'aurora',
  'a storm',
  'nothing to see',
  'sunset forest at the sea',
];

test('every subject and scene is well drawn: no missing number, every paint defined once', () => {
  for (const prompt of [...SUBJECTS.split(' '), ...SCENES]) {
    const svg = svgOf(prompt, { fine: true });
    expect(svg).not.toMatch(/NaN|undefined|Infinity|null/);
    const defined = [...svg.matchAll(/ id="(\w+)"/g)].map((match) => match[1] ?? '');
    const used = new Set([...svg.matchAll(/url\(#(\w+)\)/g)].map((match) => match[1] ?? ''));
    expect(new Set(defined).size).toBe(defined.length);
    expect([...used].filter((id) => !defined.includes(id))).toEqual([]);
  }
});

test('nothing of the prompt itself gets into the SVG', () => {
  expect(svgOf('a cat"/><script>alert(1)</script>', { seed: '"/><x>' })).not.toMatch(/script|<x>/);
});

test('the seed decides: the same draws the same, another draws another', () => {
  expect(svgOf('a forest')).toBe(svgOf('a forest'));
  expect(svgOf('a forest', { seed: 'b' })).not.toBe(svgOf('a forest'));
});

test('what needs water gets water; what stands alone gets a table, a meadow or space', () => {
  const placesOf = (prompt: string) => [...settingOf(readWish(prompt)).places.keys()];
  expect(placesOf('a boat in the mountains')).toEqual(['mountains', 'sea']);
  expect(placesOf('a dog')).toEqual(['meadow']);
  const kindOf = (prompt: string) => settingOf(readWish(prompt)).kind;
  expect(kindOf('an apple and a cup')).toBe('studio');
  expect(kindOf('an apple at night')).toBe('outdoors');
  expect(kindOf('a rocket')).toBe('space');
  expect(kindOf('justice')).toBe('abstract');
});

test('flowers beside somebody are a bed of flowers, in their colour', () => {
  const setting = settingOf(readWish('a dog among purple flowers'));
  expect(setting.subjects.map(({ kind }) => kind)).toEqual(['dog']);
  expect(setting.accents).toEqual(['#8a3fd1']);
});

test('a tree blooms in the colour of its blossoms and stands in the colour of its wood', () => {
  const treeOf = (prompt: string) => settingOf(readWish(prompt)).subjects[0];
  expect(treeOf('a tree with pink blossoms')).toEqual({ kind: 'tree', color: '#f283b6' });
  expect(treeOf('a tree in an autumn forest')).toEqual({ kind: 'tree', color: '#f0801f' });
});

test('boats float, balloons fly, cats sit', () => {
  expect((['boat', 'balloon', 'cat'] as const).map(footingOf)).toEqual(['water', 'air', 'ground']);
});
