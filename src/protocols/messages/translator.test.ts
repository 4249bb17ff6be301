import { describe, expect, test } from 'bun:test';
import { JsonScan } from '../../json/scan.ts';
import { NO_QUIRKS, type Quirks } from '../quirks.ts';
import { messagesToMessages } from './translator.ts';

/** The body as an upstream with these quirks gets it. */
function sent(
  body: string,
  {
    clampedOutput = null,
    ...quirks
  }: Partial<Quirks> & {
    readonly clampedOutput?: number | null;
  } = {},
): string {
  const bytes = new TextEncoder().encode(body);
  const scanned = new JsonScan({ maxDepth: 64 }).finish(bytes, bytes.byteLength);
  const prepared = messagesToMessages.prepare(scanned, { maxOutput: 1_000 }, false);
  const to = { model: 'theirs', quirks: { ...NO_QUIRKS, ...quirks }, clampedOutput };
  return new TextDecoder().decode(prepared.bodyFor(to));
}

const head = '{"model":"ours","max_tokens":9';

test('only the name of the model is another; every other byte is kept', () => {
  const rest = ',"messages":[{"role":"user","content":"h\\u0069"}],"unknown":1.0e2}';
  expect(sent(`${head}${rest}`)).toBe(`{"model":"theirs","max_tokens":9${rest}`);
});

test('the limit is no more than what is paid for, and what a server refuses is left out', () => {
  const body = `${head},"temperature":1,"provider":{},"messages":[]}`;
  expect(JSON.parse(sent(body, { clampedOutput: 5, drop: ['temperature'] }))).toEqual({
    model: 'theirs',
    max_tokens: 5,
    messages: [],
  });
});

test('what has to be written anew keeps every digit', () => {
  const input = '{"id":12345678901234567890,"huge":1e400}';
  const messages =
    `[{"role":"system","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"a",` +
    `"name":"f","input":${input}}]}]`;
  const body = sent(`${head},"messages":${messages}}`, { systemAnywhere: false });
  expect(body).toContain('<system>');
  expect(body).toContain(`"input":${input}`);
});

describe('system messages in the conversation', () => {
  const user = (text: string) => ({ role: 'user', content: text });
  const system = (text: string) => ({ role: 'system', content: text });
  const assistant = { role: 'assistant', content: 'a' };
  const block = (text: string) => ({ type: 'text', text });
  const wrapped = (text: string) => ({
    role: 'user',
    content: [block(`<system>\n${text}\n</system>`)],
  });
  const placed = (messages: readonly unknown[], quirks: Partial<Quirks> = {}): unknown =>
    JSON.parse(sent(`${head},"messages":${JSON.stringify(messages)}}`, quirks)).messages;

  test('stay where upstreams take them, and the bytes with them', () => {
    const body = `${head},"messages":[{"role":"user","content":"u"}, {"role":"system","content":"s"}]}`;
    expect(sent(body)).toContain('}, {"role":"system"');
    const messages = [user('u'), system('s'), assistant, user('v')];
    expect(placed(messages)).toEqual(messages);
  });

  test('go behind the user turn they stand before, and two become one', () => {
    expect(placed([user('u'), assistant, system('s'), user('v')])).toEqual([
      user('u'),
      assistant,
      user('v'),
      system('s'),
    ]);
    expect(placed([user('u'), system('s'), system('t'), assistant])).toEqual([
      user('u'),
      { role: 'system', content: [block('s'), block('t')] },
      assistant,
    ]);
    expect(placed([system('s'), user('u')])).toEqual([user('u'), system('s')]);
  });

  test('are said by the user where no user turn is near', () => {
    expect(placed([user('u'), assistant, system('s'), assistant])).toEqual([
      user('u'),
      assistant,
      wrapped('s'),
      assistant,
    ]);
  });

  test('are said by the user, in place, to an upstream that takes none', () => {
    const strict = { systemAnywhere: false };
    expect(placed([user('u'), system('s'), assistant, user('v')], strict)).toEqual([
      user('u'),
      wrapped('s'),
      assistant,
      user('v'),
    ]);
  });

  test('keep what else they say', () => {
    const effort = { role: 'system', output_config: { effort: 'low' }, content: 's' };
    expect(placed([effort, user('u')])).toEqual([user('u'), effort]);
  });
});

describe('thinking that another upstream did', () => {
  const thought = (signature?: string) => ({ type: 'thinking', thinking: 'hm', signature });
  const says = { type: 'text', text: 'a' };
  const assistant = (...content: readonly unknown[]) => ({ role: 'assistant', content });
  const user = { role: 'user', content: 'u' };
  const bodyOf = (messages: readonly unknown[]): string =>
    `${head},"messages":${JSON.stringify(messages)}}`;
  const sentMessages = (...messages: readonly unknown[]): unknown =>
    JSON.parse(sent(bodyOf(messages))).messages;

  test('is left out, as its signature would be refused; what is signed stays', () => {
    const foreign = thought('modelgate-thinking-1.aG0');
    expect(sentMessages(user, assistant(foreign, thought('EqQB'), thought(''), says))).toEqual([
      user,
      assistant(thought('EqQB'), says),
    ]);
  });

  test("is a server's own where it signs none and wants it back; a seal of ours is not", () => {
    const turn = assistant(thought(''), thought('modelgate-thinking-1.aG0'), says);
    const body = sent(bodyOf([user, turn]), { reasoningBack: 'reasoning_content' });
    expect(JSON.parse(body).messages).toEqual([user, assistant(thought(''), says)]);
  });

  test('that was all a turn said takes the turn with it', () => {
    expect(sentMessages(user, assistant(thought('')), user)).toEqual([user, user]);
  });
});
