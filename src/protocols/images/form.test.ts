import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { GatewayError } from '../../errors.ts';
import {
  boundaryOf,
  MAX_FORM_FIELD_BYTES,
  MAX_FORM_PARTS,
  MAX_PART_HEADER_BYTES,
  readForm,
} from './form.ts';

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const read = (text: string, boundary = 'b') => readForm(bytesOf(text), boundary);
const field = (name: string, text: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
const file = (name: string, content: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"; filename="a.png"\r\n` +
  `Content-Type: image/png\r\n\r\n${content}\r\n`;
const END = '--b--\r\n';

function refusal(work: () => unknown): GatewayError {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof GatewayError) return thrown;
    throw thrown;
  }
  throw new Error('the form should have been refused');
}

describe('a multipart form', () => {
  test('has fields and files, in any order, with an empty one', () => {
    const form = read(field('a', 'x\r\ny') + file('image', '\0\xff--b') + field('e', '') + END);
    expect([...form.fields]).toEqual([
      ['a', 'x\r\ny'],
      ['e', ''],
    ]);
    expect(form.files).toEqual([{ name: 'image', bytes: bytesOf('\0\xff--b') }]);
  });

  test('is read in place: a file is a view of the body', () => {
    const body = bytesOf(file('image', 'PIXELS') + END);
    const [image] = readForm(body, 'b').files;
    expect(image?.bytes.buffer).toBe(body.buffer);
  });

  test('may begin with a preamble, and end without a line break', () => {
    expect(read(`hello\r\n${field('a', '1')}--b--`).fields.get('a')).toBe('1');
  });

  test('is what other writers send, with any content', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 400 }), { maxLength: 4 }),
        fc.string({ unit: 'grapheme' }),
        async (files, prompt) => {
          const data = new FormData();
          data.append('prompt', prompt);
          for (const each of files) data.append('image[]', new File([each.slice()], 'ü".png'));
          const sent = new Request('http://x', { method: 'POST', body: data });
          const boundary = boundaryOf(sent.headers.get('content-type') ?? '') ?? '';
          const form = readForm(await sent.bytes(), boundary);
          // When a form is encoded, all line breaks in a field become CRLF.
          expect(form.fields.get('prompt')?.replace(/\r\n?|\n/g, '\n')).toBe(
            prompt.replace(/\r\n?|\n/g, '\n').toWellFormed(),
          );
          expect(form.files.map(({ bytes }) => bytes)).toEqual(files.map((each) => each.slice()));
        },
      ),
      { seed: 20_261_122, numRuns: 200 },
    );
  });

  test('cut off after any byte is a 400', () => {
    const whole = field('a', '1') + file('image', 'PIXELS') + field('z', '2') + END;
    const end = whole.length - 2;
    expect(read(whole.slice(0, end)).fields.size).toBe(2);
    for (let at = 0; at < end; at++) {
      const { status, param } = refusal(() => read(whole.slice(0, at)));
      expect([at, status, param]).toEqual([at, 400, 'body']);
    }
  });

  test.each([
    ['without a name', '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--', 'body'],
    ['with a field twice', field('n', '1') + field('n', '2') + END, 'n'],
    ['with a field that is no text', field('prompt', '\xff\xfe') + END, 'prompt'],
    ['with a long field', field('prompt', 'x'.repeat(MAX_FORM_FIELD_BYTES + 1)) + END, 'prompt'],
    ['with a long header', file('x'.repeat(MAX_PART_HEADER_BYTES), 'x') + END, 'body'],
    ['with too many parts', file('image', 'x').repeat(MAX_FORM_PARTS + 1) + END, 'body'],
    ['of another boundary', field('a', '1').replaceAll('--b', '--c'), 'body'],
  ])('%s is a 400 that names the place', (_what, text, param) => {
    const failure = refusal(() => read(text));
    expect([failure.status, failure.param]).toEqual([400, param]);
  });

  test('has its boundary in the Content-Type, plain or quoted', () => {
    expect(boundaryOf('multipart/form-data; boundary=abc')).toBe('abc');
    expect(boundaryOf('Multipart/Form-Data; charset=utf-8; boundary="a b"')).toBe('a b');
    expect(boundaryOf('application/json')).toBeNull();
    expect(boundaryOf('multipart/form-database; boundary=abc')).toBeNull();
    expect(refusal(() => boundaryOf('multipart/form-data')).param).toBe('body');
    expect(
      refusal(() => boundaryOf(`multipart/form-data; boundary="${'b'.repeat(71)}"`)).status,
    ).toBe(400);
  });
});
