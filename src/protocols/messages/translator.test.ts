import { describe, expect, test } from 'bun:test';
import { JsonScan } from '../../json/scan.ts';
import { NO_QUIRKS, type Quirks } from '../quirks.ts';
import { NO_PLAN } from '../request-fields.ts';
import { messagesToMessages } from './translator.ts';

/** Returns the body for an upstream with these quirks. */
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
  const to = {
    model: 'theirs',
    quirks: { ...NO_QUIRKS, ...quirks },
    clampedOutput,
    plan: NO_PLAN,
  };
  return new TextDecoder().decode(prepared.bodyFor(to));
}

const head = '{"model":"ours","max_tokens":9';

test("changes the model's name and keeps every other byte", () => {
  const rest = ',"messages":[{"role":"user","content":"h\\u0069"}],"unknown":1.0e2}';
  expect(sent(`${head}${rest}`)).toBe(`{"model":"theirs","max_tokens":9${rest}`);
});

test('clamps the limit to the hold, and omits what a server refuses', () => {
  const body = `${head},"temperature":1,"provider":{},"messages":[]}`;
  expect(JSON.parse(sent(body, { clampedOutput: 5, drop: ['temperature'] }))).toEqual({
    model: 'theirs',
    max_tokens: 5,
    messages: [],
  });
});

test('rewritten messages keep every digit', () => {
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

  test('stay in valid places, with their bytes', () => {
    const body = `${head},"messages":[{"role":"user","content":"u"}, {"role":"system","content":"s"}]}`;
    expect(sent(body)).toContain('}, {"role":"system"');
    const messages = [user('u'), system('s'), assistant, user('v')];
    expect(placed(messages)).toEqual(messages);
  });

  test('move after the user turn they precede, and two are merged', () => {
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

  test('become user text without a user turn nearby', () => {
    expect(placed([user('u'), assistant, system('s'), assistant])).toEqual([
      user('u'),
      assistant,
      wrapped('s'),
      assistant,
    ]);
  });

  test('become user text in place for an upstream that accepts none', () => {
    const strict = { systemAnywhere: false };
    expect(placed([user('u'), system('s'), assistant, user('v')], strict)).toEqual([
      user('u'),
      wrapped('s'),
      assistant,
      user('v'),
    ]);
  });

  test('follow the results of tools for an upstream that accepts none', () => {
    const strict = { systemAnywhere: false };
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a' }] };
    expect(placed([user('u'), assistant, system('s'), result, user('v')], strict)).toEqual([
      user('u'),
      assistant,
      result,
      wrapped('s'),
      user('v'),
    ]);
  });

  test('without content are left out for an upstream that accepts none', () => {
    const effort = { role: 'system', output_config: { effort: 'low' } };
    const strict = { systemAnywhere: false };
    expect(placed([user('u'), effort, assistant], strict)).toEqual([user('u'), assistant]);
  });

  test('keep their other members', () => {
    const effort = { role: 'system', output_config: { effort: 'low' }, content: 's' };
    expect(placed([effort, user('u')])).toEqual([user('u'), effort]);
  });
});

describe('thinking of another upstream', () => {
  const thought = (signature?: string) => ({ type: 'thinking', thinking: 'hm', signature });
  const says = { type: 'text', text: 'a' };
  const assistant = (...content: readonly unknown[]) => ({ role: 'assistant', content });
  const user = { role: 'user', content: 'u' };
  const bodyOf = (messages: readonly unknown[]): string =>
    `${head},"messages":${JSON.stringify(messages)}}`;
  const sentMessages = (...messages: readonly unknown[]): unknown =>
    JSON.parse(sent(bodyOf(messages))).messages;

  test('is removed, since its signature would be refused; signed thinking stays', () => {
    const foreign = thought('modelgate-thinking-1.aG0');
    const unsigned = [thought(''), thought()];
    expect(sentMessages(user, assistant(foreign, thought('EqQB'), ...unsigned, says))).toEqual([
      user,
      assistant(thought('EqQB'), says),
    ]);
  });

  test('is kept for a server that wants unsigned thinking back, except our own signatures', () => {
    const turn = assistant(thought(''), thought('modelgate-thinking-1.aG0'), says);
    const body = sent(bodyOf([user, turn]), { reasoningBack: 'reasoning_content' });
    expect(JSON.parse(body).messages).toEqual([user, assistant(thought(''), says)]);
  });

  test('removes a turn that contains nothing else', () => {
    expect(sentMessages(user, assistant(thought('')), user)).toEqual([user, user]);
  });
});
