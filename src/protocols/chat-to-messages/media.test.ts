import { describe, expect, test } from 'bun:test';
import type { JsonObject } from '../../json/object.ts';
import { messagesBody, messagesText, refusalOf, user } from './request.fixture.ts';

const image = (url: string) => ({ type: 'image_url', image_url: { url, detail: 'high' } });
const file = (members: object) => ({ type: 'file', file: members });
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Translates a part of a chat message. Returns the resulting Messages block. */
const block = (part: object): JsonObject => {
  const { messages } = messagesBody({ messages: [user([part])] });
  const [message] = messages as { content: JsonObject[] }[];
  return message?.content[0] ?? {};
};
const refused = (part: object): string =>
  refusalOf({ messages: [user([{ type: 'text', text: 'See:' }, part])] });

describe('images', () => {
  test('are split from a data URL into type and data', () => {
    for (const type of ['image/jpeg', 'image/png', 'image/gif', 'image/webp']) {
      expect(block(image(`data:${type};base64,iVBORw0=`))).toEqual({
        type: 'image',
        source: { type: 'base64', media_type: type, data: 'iVBORw0=' },
      });
    }
  });

  test('are accepted with other spellings of their type', () => {
    expect(block(image('DATA:IMAGE/JPG;name=a.jpg;BASE64,/9j/'))['source']).toEqual({
      type: 'base64',
      media_type: 'image/jpeg',
      data: '/9j/',
    });
  });

  test('are passed on as a URL', () => {
    expect(block(image('https://example.com/a.png'))).toEqual({
      type: 'image',
      source: { type: 'url', url: 'https://example.com/a.png' },
    });
  });

  test('of other types are rejected with their path', () => {
    expect(refused(image('data:image/svg+xml;base64,PHN2Zz4='))).toBe(
      'unsupported_value at messages[0].content[1].image_url.url: messages[0].content[1].image_url.url: ' +
        'images of type "image/svg+xml" are not supported; send image/jpeg, image/png, image/gif, image/webp.',
    );
  });

  test('without base64, without data or with other schemes are rejected', () => {
    for (const url of [
      'data:image/png,%89PNG',
      'data:image/png;base64',
      'ftp://example.com/a.png',
      'a.png',
    ]) {
      expect(refused(image(url))).toStartWith(
        'invalid_value at messages[0].content[1].image_url.url: ',
      );
    }
  });
});

describe('files', () => {
  test('a PDF becomes a document with its name', () => {
    const pdf = file({ filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' });
    expect(block(pdf)).toEqual({
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
      title: 'a.pdf',
    });
  });

  test('by URL become a document that the provider fetches', () => {
    const url = 'https://example.com/a.pdf';
    expect(block(file({ filename: 'a.pdf', file_data: url }))).toEqual({
      type: 'document',
      source: { type: 'url', url },
      title: 'a.pdf',
    });
  });

  test('a text becomes a text document, in any encoding', () => {
    const source = { type: 'text', media_type: 'text/plain', data: 'Grüße, "x"' };
    for (const type of ['text/markdown', 'text/plain;charset=utf-8', 'application/json']) {
      expect(block(file({ file_data: `data:${type};base64,${base64(source.data)}` }))).toEqual({
        type: 'document',
        source,
      });
    }
    expect(block(file({ file_data: 'data:,Gr%C3%BC%C3%9Fe%2C%20%22x%22' }))['source']).toEqual(
      source,
    );
  });

  test('an image becomes an image block', () => {
    expect(
      block(file({ filename: 'a.png', file_data: 'data:image/png;base64,iVBORw0=' }))['type'],
    ).toBe('image');
  });

  test('of other types, not UTF-8 or empty are rejected with their path', () => {
    const at = 'messages[0].content[1].file.file_data';
    expect(refused(file({ file_data: `data:application/zip;base64,UEs=` }))).toBe(
      `unsupported_value at ${at}: ${at}: files of type "application/zip" are not supported; send a PDF, an image or text.`,
    );
    for (const data of [
      'text/plain;base64,/w==',
      'text/plain,%FF',
      'text/plain;base64,',
      'application/pdf,x',
    ]) {
      expect(refused(file({ file_data: `data:${data}` }))).toStartWith(`invalid_value at ${at}: `);
    }
    expect(refused(file({ file_data: 'JVBERi0=' }))).toStartWith(`invalid_value at ${at}: `);
    expect(refused(file({ filename: 'a' }))).toStartWith(`missing_required_parameter at ${at}: `);
  });

  test('by file_id are rejected', () => {
    expect(refused(file({ file_id: 'file-1' }))).toBe(
      'unsupported_value at messages[0].content[1].file.file_id: messages[0].content[1].file.file_id: ' +
        'files are not stored for this model; send the file as a data URL in file_data.',
    );
  });
});

describe('audio and video', () => {
  test('are rejected with their path', () => {
    const audio = { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } };
    const video = { type: 'video_url', video_url: { url: 'https://example.com/a.mp4' } };
    for (const part of [audio, video, { type: 'hologram' }]) {
      expect(refused(part)).toStartWith('unsupported_value at messages[0].content[1].type: ');
    }
  });
});

describe('large bodies', () => {
  const data = base64('pixels '.repeat(10_000));

  test('carry their data to the upstream unchanged', () => {
    const parts = ['image/png', 'image/gif'].map((type) => image(`data:${type};base64,${data}`));
    const text = messagesText({
      messages: [user([...parts, { type: 'text', text: `data:x,${data}` }])],
    });
    expect(text).toBe(
      '{"model":"up-opus","max_tokens":128000,"messages":[{"role":"user","content":[' +
        `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"${data}"}},` +
        `{"type":"image","source":{"type":"base64","media_type":"image/gif","data":"${data}"}},` +
        `{"type":"text","text":"data:x,${data}"}]}]}`,
    );
  });

  test('are decoded if they are text', () => {
    const large = file({ file_data: `data:text/plain;base64,${data}` });
    expect(block(large)).toMatchObject({ source: { data: 'pixels '.repeat(10_000) } });
  });
});
