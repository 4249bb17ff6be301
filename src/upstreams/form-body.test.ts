import { expect, test } from 'bun:test';
import { formBody } from './form-body.ts';

const bytes = new Uint8Array(600_000).map((_, at) => at * 31);
const clock = { randomBytes: (length: number) => new Uint8Array(length).fill(7) };
const file = { name: 'image[]', fileName: 'image-1.png', mediaType: 'image/png', bytes } as const;

const made = () =>
  formBody(
    { model: 'm', prompt: 'ü\r\n"x"', empty: '', n: 2, stream: true, 'odd"\r\nname': { a: [1] } },
    [file, { ...file, name: 'mask', fileName: 'mask.png', bytes: bytes.subarray(0, 3) }],
    clock,
  );

test('is a form that other readers understand, of the stated length', async () => {
  const { contentType, byteLength, stream } = made();
  const sent = await new Response(stream()).bytes();
  expect(sent.byteLength).toBe(byteLength);
  const form = await new Response(sent, { headers: { 'content-type': contentType } }).formData();
  const texts = [...form].filter(([, value]) => typeof value === 'string');
  expect(texts.slice(0, 5)).toEqual([
    ['model', 'm'],
    ['prompt', 'ü\r\n"x"'],
    ['empty', ''],
    ['n', '2'],
    ['stream', 'true'],
  ]);
  expect(texts.slice(5).map(([, value]) => value)).toEqual(['{"a":[1]}']);
  const [image, mask] = [form.get('image[]'), form.get('mask')];
  if (!(image instanceof File && mask instanceof File)) throw new Error('a file is missing');
  expect([image.name, image.type]).toEqual(['image-1.png', 'image/png']);
  expect(Buffer.from(await image.arrayBuffer()).equals(bytes)).toBe(true);
  expect([mask.name, mask.size]).toEqual(['mask.png', 3]);
});

test('hands out views of the files, in pieces, and can be sent again', async () => {
  const { stream } = made();
  for (let time = 0; time < 2; time++) {
    const pieces = await Array.fromAsync(stream());
    const views = pieces.filter(({ buffer }) => buffer === bytes.buffer);
    expect(views.reduce((sum, { byteLength }) => sum + byteLength, 0)).toBe(600_003);
    expect(Math.max(...pieces.map(({ byteLength }) => byteLength))).toBe(256 * 1024);
  }
});
