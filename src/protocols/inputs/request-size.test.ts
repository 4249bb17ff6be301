import { describe, expect, test } from 'bun:test';
import { deflateSync } from 'node:zlib';
import { scanObject } from '../../json/scan.ts';
import { readChatRequest } from '../chat/request.ts';
import { readMessagesRequest } from '../messages/request.ts';
import { readResponsesRequest } from '../responses/request.ts';
import { gif, jpeg, pdf, png, wav, webp } from './media.fixture.ts';
import type { MediaInput } from './media-input.ts';
import { type MediaSize, requestSize } from './request-size.ts';

const base64 = (bytes: Buffer): string => bytes.toString('base64');

type Read = (view: Record<string, unknown>) => { readonly inputs: readonly MediaInput[] };

function measuredText(text: string, read: Read = readMessagesRequest) {
  const body = scanObject(Uint8Array.from(new TextEncoder().encode(text)), 64);
  return { ...requestSize(body, read(body.view()).inputs), bodyBytes: body.bytes.byteLength };
}
const messages = (...content: unknown[]) =>
  JSON.stringify({ model: 'm', max_tokens: 1, messages: [{ role: 'user', content }] });
const measured = (...content: unknown[]) => measuredText(messages(...content));
const inChat = (...content: unknown[]) =>
  measuredText(
    JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }),
    readChatRequest,
  );

const image = (data: string) => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data },
});
const document = (data: string) => ({
  type: 'document',
  source: { type: 'base64', media_type: 'application/pdf', data },
});
const imageOf = (width: number, height: number): MediaSize => ({ kind: 'image', width, height });
const remote = (modality: 'image' | 'file' | 'audio' | 'video' | 'unknown'): MediaSize => ({
  kind: 'unmeasured',
  modality,
});

test('reasoning in base64 counts as the text within it', () => {
  const encrypted_content = 'QUJD'.repeat(20_000);
  const input = [{ type: 'reasoning', summary: [], encrypted_content }];
  const text = JSON.stringify({ model: 'm', instructions: 'Think.', input });
  const { textBytes, bodyBytes, media, promptBytes } = measuredText(text, readResponsesRequest);
  expect(media).toEqual([{ kind: 'text', bytes: 60_000 }]);
  expect(bodyBytes - textBytes).toBe(80_000);
  expect(promptBytes).toBeGreaterThan('"Think."'.length);
});

describe('only data where media belongs is media', () => {
  const dressed = 'QUJD'.repeat(20_000);
  test.each([
    ['text', { type: 'text', text: dressed }],
    ['text like a data URL', { type: 'text', text: `data:image/png;base64,${dressed}` }],
    ['the input of a tool', { type: 'tool_use', id: 'a', name: 'b', input: { data: dressed } }],
    ['an unread field of an image', { ...image('AAAA'), data: dressed }],
    ['a text document', { type: 'document', source: { type: 'text', data: dressed } }],
    ['thinking', { type: 'redacted_thinking', data: dressed }],
  ])('%s is text', (_name, block) => {
    const { textBytes, bodyBytes } = measured(block);
    expect(textBytes).toBeGreaterThan(bodyBytes - 10);
  });

  test('media inside blocks of text are media, but not inside the input of a tool', () => {
    const shot = image(base64(png(800, 600)));
    const tabs = [{ tab_id: 't', title: 'T', url: 'https://x', screenshot: shot }];
    expect(measured({ type: 'browser_state', tabs, extra: [[shot]] }).media).toEqual([
      imageOf(800, 600),
      imageOf(800, 600),
    ]);
    expect(measured({ type: 'browser_state', source: shot.source }).media).toEqual([
      imageOf(800, 600),
    ]);
    expect(measured({ type: 'tool_use', id: 'a', name: 'b', input: { shot } }).media).toEqual([]);
  });

  test('prose with a beginning, a middle and an end of base64 is text', () => {
    const word = 'a_word_of_ordinary_prose.\n'.repeat(4_000);
    const filler = 'A'.repeat(600);
    const text = `${filler}${word}${filler}${word}${filler}`;
    const { textBytes, bodyBytes, media } = inChat({ type: 'text', text });
    expect([textBytes, media]).toEqual([bodyBytes, []]);
  });

  test('the data of an image is not text, however large', () => {
    for (const more of [0, 40_000]) {
      const data = base64(Buffer.concat([png(640, 480), Buffer.alloc(more)]));
      const { textBytes, bodyBytes, media } = measured(image(data));
      expect([textBytes, media]).toEqual([bodyBytes - data.length, [imageOf(640, 480)]]);
    }
  });

  test('data in a field that is given twice counts where the upstream may read it', () => {
    const data = base64(png(1, 1));
    const sly = messages(image(data)).replace('"data":', `"data":"${dressed}","data":`);
    expect(measuredText(sly).textBytes).toBeGreaterThan(dressed.length);
  });
});

describe('images by the size in their header', () => {
  test.each([
    ['PNG', png(16_000, 16_000)],
    ['GIF', gif(16_000, 16_000)],
    ['JPEG', jpeg(16_000, 16_000)],
    ['JPEG with a thumbnail', jpeg(16_000, 16_000, 60_000)],
    ['WebP', webp(16_000, 16_000)],
  ])('%s', (_name, bytes) => {
    const data = base64(bytes);
    const expected = [imageOf(16_000, 16_000)];
    expect(measured(image(data)).media).toEqual(expected);
    const url = `data:image/png;base64,${data}`;
    expect(inChat({ type: 'image_url', image_url: { url } }).media).toEqual(expected);
    const escaped = messages(image(data)).replaceAll('/', '\\/');
    expect(measuredText(escaped).media).toEqual(expected);
  });

  test('in tool results, nested documents and fetched pages', () => {
    const one = image(base64(png(10, 20)));
    const result = { type: 'tool_result', tool_use_id: 'a', content: [one] };
    const nested = { type: 'document', source: { type: 'content', content: [one] } };
    const page = { type: 'web_fetch_result', content: document(base64(pdf('/Count 3'))) };
    const fetched = { type: 'web_fetch_tool_result', tool_use_id: 'a', content: page };
    expect(measured(result, nested, fetched).media).toEqual([
      imageOf(10, 20),
      imageOf(10, 20),
      { kind: 'pdf', pages: 3 },
    ]);
  });
});

describe('documents by their pages', () => {
  const tree = '<</Type /Pages /Kids [2 0 R 3 0 R] /Count 70>> <</Type /Page>> <</Type/Page>>';
  test.each([
    ['as the page tree states', tree, 70],
    ['by the pages that there are', '<</Type /Page>>'.repeat(9), 9],
    ['with a closed bookmark', `${tree} <</Type /Outlines /Count -5>>`, 70],
    ['by the entries of its page tree', '/Count 1 /Kids[2 0 R 3 0 R] /Kids [ 4 0 R\n5 0 R ]', 3],
    ['with a form', '/Count 1 /Page /Pages /Kids[3 0 R] /FT /Btn /Kids [6 0 R 7 0 R] /Kids []', 2],
  ])('%s', (_name, objects, pages) => {
    for (const compressed of [false, true]) {
      const data = base64(pdf(objects, compressed));
      expect(measured(document(data)).media).toEqual([{ kind: 'pdf', pages }]);
    }
  });

  test.each([
    ['without pages', pdf('<</Type /Catalog>>')],
    [
      'with an object stream of another filter',
      Buffer.from('%PDF-1.7 /Count 1 /ObjStm stream\nx endstream'),
    ],
    ['with more content than is inflated', pdf(`/Count 1 ${' '.repeat(13_000_000)}`, true)],
    [
      'with thousands of empty object streams',
      Buffer.concat(Array(1_001).fill(pdf('/Count 1', true))),
    ],
    ['with more pages than any provider takes', pdf('/Page '.repeat(6_000))],
    ['with thousands of empty nodes', pdf(`/Page ${'/Kids[]'.repeat(6_000)}`)],
    ['of another type', Buffer.from('PK\x03\x04')],
  ])('a document %s is not measured', (_name, bytes) => {
    expect(measured(document(base64(bytes))).media).toEqual([remote('file')]);
  });

  test('of several object streams together', () => {
    const streams = [pdf('/Page '.repeat(4), true), pdf('/Page '.repeat(5), true)];
    const data = base64(Buffer.concat(streams));
    expect(measured(document(data)).media).toEqual([{ kind: 'pdf', pages: 9 }]);
    const twice = [pdf('/Page /Kids[3 0 R]', true), pdf('/Page /Kids[3 0 R]', true)];
    expect(measured(document(base64(Buffer.concat(twice)))).media).toEqual([remote('file')]);
  });

  test('of which a request may have only so many bytes', () => {
    const large = document(base64(pdf(`/Count 2 ${' '.repeat(5_000_000)}`)));
    const { media } = measured(large, large, document(base64(pdf('/Count 4'))));
    expect(media).toEqual([{ kind: 'pdf', pages: 2 }, remote('file'), remote('file')]);
  });

  test('a file of text is text', () => {
    const file_data = `data:text/csv;base64,${base64(Buffer.from('a,b\n'.repeat(9_000)))}`;
    const { media } = inChat({ type: 'file', file: { file_data } });
    expect(media).toEqual([{ kind: 'text', bytes: 36_000 }]);
    const sly = `data:text/plain;base64,${base64(Buffer.from('\ufdfa'.repeat(9)))}`;
    expect(inChat({ type: 'file', file: { file_data: sly } }).media).toEqual([
      { kind: 'text', bytes: 9 * 33 },
    ]);
    const long = `data:text/plain;base64,${base64(Buffer.from('é'.repeat(500_000)))}`;
    expect(inChat({ type: 'file', file: { file_data: long } }).media).toEqual([remote('file')]);
    const plain = { file_data: 'data:text/plain,%EF%B7%BA' };
    expect(inChat({ type: 'file', file: plain }).media).toEqual([remote('file')]);
  });
});

/** The compressed content of an object stream that states a wrong number of pages. */
const DECOY = deflateSync(Buffer.from('/Count 1')).toString('latin1');

describe('media that look smaller than they are', () => {
  const inFile = (file_data: string) => inChat({ type: 'file', file: { file_data } }).media;
  const prose = 'words of a long text\n'.repeat(2_000);

  test.each([
    ['a document', '%PDF-1.4 /Count 1 /Page '],
    ['an image', 'GIF89a\x01\x00\x01\x00'],
  ])('text that begins like %s is text', (_what, start) => {
    const data = base64(Buffer.from(start + prose));
    const text = { kind: 'text', bytes: start.length + prose.length } as const;
    expect(inFile(`data:text/plain;base64,${data}`)).toEqual([text]);
    // Translators and providers accept this spelling of the type as text too, so the file must not
    // be measured as other media.
    expect(inFile(`data: text/plain ;base64,${data}`)).toEqual([remote('file')]);
    const escaped = { file_data: `data:text/plain;base64,${data}` };
    const json = JSON.stringify({ type: 'file', file: escaped }).replaceAll('/', '\\/');
    const body = `{"model":"m","messages":[{"role":"user","content":[${json}]}]}`;
    expect(measuredText(body, readChatRequest).media).toEqual([text]);
    const typed = { ...document(data).source, media_type: 'text/plain' };
    expect(measured({ type: 'document', source: typed }).media).toEqual([remote('file')]);
  });

  test('a document behind the header of an image is not an image', () => {
    const data = base64(Buffer.concat([png(1, 1), pdf('/Page '.repeat(600))]));
    expect(measured(document(data)).media).toEqual([remote('file')]);
    expect(inFile(data)).toEqual([remote('file')]);
    expect(inFile(`data:image/png;base64,${data}`)).toEqual([imageOf(1, 1)]);
  });

  test('the pages that escapes in the JSON hide from a search are not counted', () => {
    const data = base64(pdf('/Count 1'));
    const many = base64(Buffer.from('/Count 500 '.repeat(3_000)));
    const hidden = many.replaceAll(
      /[a-z]/g,
      (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`,
    );
    const body = messages(document(`${data}PAGES`)).replace('PAGES', hidden);
    expect(measuredText(body).media).toEqual([remote('file')]);
  });

  test.each([
    ['escaped names', Buffer.from('%PDF-1.4 /Count 1 <</Type /P#61ges /C#6Funt 500>>')],
    ['an escaped name of the entries', pdf('/Count 1 /Page /K#69ds [3 0 R 3 0 R]')],
    ['a page that is named twice', pdf(`<</Type/Pages/Kids[${'3 0 R '.repeat(600)}]>> /Page`)],
    ['a page named by two generations', pdf('/Page /Kids[3 0 R 3 1 R]')],
    ['nodes that are named twice', pdf('/Page /Page /Pages /Kids[2 0 R] /Kids[2 0 R]')],
    ['entries elsewhere', pdf('/Count 1 /Page /Kids 8 0 R')],
    ['entries that are not references', pdf('/Count 1 /Page /Kids[3 0 R <</A 1>>]')],
    ['entries without an end', pdf('/Count 1 /Page /Kids[3 0 R')],
    ['a count elsewhere', pdf('/Page /Count 8 0 R')],
    ['a count without a number', pdf('/Page /Count%\n600')],
    ['a predictor', pdf('/Count 1', true, '/DecodeParms <</Predictor 12>> /Type /ObjStm')],
    ['a predictor behind the type', pdf('/Count 1', true, '/Type /ObjStm /DP <<>>')],
    ['a string before the content', pdf('/Count 500', true, `/Type /ObjStm /A (stream\n${DECOY})`)],
  ])('the pages of a document with %s are not counted', (_name, bytes) => {
    expect(measured(document(base64(bytes))).media).toEqual([remote('file')]);
  });

  test('a null byte does not hide the number of pages', () => {
    const data = base64(pdf('/Page /Count\x00600'));
    expect(measured(document(data)).media).toEqual([{ kind: 'pdf', pages: 600 }]);
  });

  test('a large image with an escaped letter in its base64 is not measured', () => {
    const data = base64(Buffer.concat([png(8, 8), Buffer.alloc(60_000)]));
    const escaped = `\\u00${data.charCodeAt(40).toString(16)}`;
    const sent = (url: string) => {
      const content = [{ type: 'image_url', image_url: { url: 'URL' } }];
      const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] });
      return measuredText(body.replace('URL', `data:image/png;base64,${url}`), readChatRequest);
    };
    expect(sent(data).media).toEqual([imageOf(8, 8)]);
    const hidden = `${data.slice(0, 40)}${escaped}${data.slice(41)}`;
    expect(sent(hidden).media).toEqual([remote('image')]);
  });

  test('a video is not measured by its first frame', () => {
    const url = `data:video/jpeg;base64,${base64(jpeg(8, 8))},${base64(jpeg(8, 8))}`;
    expect(inChat({ type: 'video_url', video_url: { url } }).media).toEqual([remote('video')]);
    const gifs = `data:image/gif;base64,${base64(gif(8, 8))}`;
    expect(inChat({ type: 'video_url', video_url: { url: gifs } }).media).toEqual([
      remote('video'),
    ]);
  });

  test('a marker without a length does not hide the frame of a JPEG', () => {
    const frame = jpeg(16_000, 16_000).subarray(6);
    const bytes = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0x01]), frame, jpeg(8, 8)]);
    expect(measured(image(base64(bytes))).media).toEqual([imageOf(16_000, 16_000)]);
  });

  test.each([
    ['GIF', gif(1, 1, [[9_000, 8_000]])],
    [
      'GIF with two frames',
      gif(1, 1, [
        [9_000, 1],
        [1, 8_000],
      ]),
    ],
  ])('the frames of a %s are as large as they are', (_name, bytes) => {
    expect(measured(image(base64(bytes))).media).toEqual([imageOf(9_000, 8_000)]);
  });

  const SMALL_FRAME = jpeg(1, 1).subarray(6);
  const PRIVATE_CHUNK = Buffer.concat([Buffer.alloc(3), Buffer.from('\x08prVt')]);
  test.each([
    [
      'PNG with a chunk before its header',
      Buffer.concat([png(1, 1).subarray(0, 8), PRIVATE_CHUNK, png(1, 1).subarray(16)]),
    ],
    ...[0x00, 0x02, 0xbf, 0xd8, 0xda].map((marker): [string, Buffer] => [
      `JPEG with the marker ${marker.toString(16)}`,
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, marker, 0, 2]), SMALL_FRAME]),
    ]),
    ['GIF without a frame', gif(1, 1, [])],
    [
      'GIF with an empty extension',
      Buffer.concat([
        gif(1, 1).subarray(0, 19),
        Buffer.from('!\xf9\0', 'latin1'),
        gif(1, 1).subarray(27),
      ]),
    ],
  ])('a %s is not measured', (_name, bytes) => {
    expect(measured(image(base64(bytes))).media).toEqual([remote('image')]);
  });

  test('audio by an address that is no plain text is not measured', () => {
    for (const address of ['\u0001https://x.test/a.mp3', 'h\nttps://x.test/a.mp3']) {
      for (const data of [address, `${address}?${'x'.repeat(40_000)}`])
        expect(inChat({ type: 'input_audio', input_audio: { data, format: 'mp3' } }).media).toEqual(
          [remote('audio')],
        );
    }
  });
});

describe('audio by its length', () => {
  const heard = (bytes: Buffer) =>
    inChat({ type: 'input_audio', input_audio: { data: base64(bytes), format: 'wav' } }).media;

  test('of uncompressed sound as the header states', () => {
    expect(heard(wav(8_000, 10))).toEqual([{ kind: 'audio', seconds: 11 }]);
  });

  test('by the lower rate when the header contradicts itself', () => {
    expect(heard(wav(8_000, 10, 4_000_000_000))).toEqual([{ kind: 'audio', seconds: 11 }]);
  });

  test('of compressed sound at the lowest bit rate', () => {
    expect(heard(Buffer.alloc(7_500))).toEqual([{ kind: 'audio', seconds: 10 }]);
  });
});

test('refuses more media than any provider takes', () => {
  const one = image(base64(png(1, 1)));
  expect(measured(...Array.from({ length: 2_000 }, () => one)).media).toHaveLength(2_000);
  const many = Array.from({ length: 2_001 }, () => one);
  expect(() => measured(...many)).toThrow(
    'messages[0].content[2000]: is too much: send at most 2000',
  );
});

test('media by address or id, and parts of unknown types, are not measured', () => {
  const url = { type: 'url', url: 'https://example.com/a' };
  expect(
    measured(
      { type: 'image', source: url },
      { type: 'document', source: url },
      { type: 'document', source: { type: 'file', file_id: 'file_1' } },
      { type: 'container_upload', file_id: 'file_1' },
    ).media,
  ).toEqual([remote('image'), remote('file'), remote('file'), remote('unknown')]);
  expect(
    inChat(
      { type: 'image_url', image_url: { url: 'https://example.com/a' } },
      { type: 'file', file: { file_id: 'file_1' } },
      { type: 'input_audio', input_audio: { data: 'https://example.com/a', format: 'mp3' } },
      { type: 'video_url', video_url: { url: ' https://example.com/a' } },
      { type: 'document_url', document_url: 'https://example.com/a' },
    ).media,
  ).toEqual([remote('image'), remote('file'), remote('audio'), remote('video'), remote('unknown')]);
});
