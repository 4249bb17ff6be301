import { describe, expect, test } from 'bun:test';
import { chatModel } from '#screens/playground/playground.fixture.ts';
import { ChatStore } from './chat-store.ts';
import { keepChat, savedChat } from './saved-chat.ts';
import { openCalls, type Thread } from './thread.ts';

const MODELS = [chatModel('gen-a'), chatModel('gen-b')];
const encoder = new TextEncoder();

type Sent = { readonly body: { messages: unknown[] } & Record<string, unknown>; say: Say };
type Say = (chunk: object | '[DONE]') => void;

/**
 * Creates a chat. The test sends the answers' chunks and decides when the next frame is rendered.
 */
function chat() {
  const sent: Sent[] = [];
  let frame: (() => void) | null = null;
  let ids = 0;
  let answered = 0;
  const store = new ChatStore({
    fetch: async (_, { body, signal }) => {
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          signal?.addEventListener('abort', () => controller.error(signal.reason));
          const say: Say = (chunk) => {
            const data = typeof chunk === 'string' ? chunk : JSON.stringify(chunk);
            controller.enqueue(encoder.encode(`data: ${data}\n\n`));
          };
          sent.push({ body: JSON.parse(String(body)), say });
        },
      });
      return new Response(stream, { headers: { 'x-request-id': `req_${sent.length}` } });
    },
    nowMs: () => 0,
    newId: () => {
      ids += 1;
      return `id_${ids}`;
    },
    onNextFrame: (run) => {
      frame = run;
    },
    chargeOf: async (requestId) => ({
      ...{ input: 3, cached: 0, cacheWrite: 0, output: 1, reasoning: 0 },
      cost: { amount: `0.00${requestId.slice(-1)}`, currency: 'USD' },
    }),
    onAnswered: () => {
      answered += 1;
    },
  });
  store.addThread('gen-a', null);
  return {
    store,
    sent,
    answered: () => answered,
    nextFrame: () => frame?.(),
    type: (text: string) =>
      store.change((state) => ({ ...state, draft: { text, attachments: [] } })),
  };
}

const text = (content: string) => ({ choices: [{ index: 0, delta: { content } }] });
const call = (id: string, name: string) => ({
  choices: [
    { index: 0, delta: { tool_calls: [{ index: 0, id, function: { name, arguments: '{}' } }] } },
  ],
});
/** Waits for all pending updates. */
const arrived = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};
const linesOf = ({ messages }: Thread): readonly string[] =>
  messages.map((message) =>
    message.kind === 'answer'
      ? `${message.answer.phase}:${message.answer.text}`
      : `${message.kind}:${message.text}`,
  );
const threadsOf = (store: ChatStore) => store.state().threads.map(linesOf);

describe('a sent message', () => {
  test('goes to every column, and each continues on its own', async () => {
    const { store, sent, type, nextFrame, answered } = chat();
    store.addThread('gen-b', 'stable');
    type('Hi');
    store.send(MODELS);
    await arrived();
    expect(store.state().draft.text).toBe('');
    expect(sent.map(({ body }) => [body['model'], body['provider'], body.messages])).toEqual([
      ['gen-a', undefined, [{ role: 'user', content: 'Hi' }]],
      ['gen-b', { channel: 'stable' }, [{ role: 'user', content: 'Hi' }]],
    ]);
    sent[0]?.say(text('One'));
    sent[1]?.say(text('Two'));
    sent[1]?.say('[DONE]');
    await arrived();
    nextFrame();
    expect(threadsOf(store)).toEqual([
      ['user:Hi', 'streaming:One'],
      ['user:Hi', 'done:Two'],
    ]);
    expect(answered()).toBe(1);
  });

  test('renders with the next frame, and immediately at the end', async () => {
    const { store, sent, type, nextFrame } = chat();
    type('Hi');
    store.send(MODELS);
    await arrived();
    let changes = 0;
    store.subscribe(() => {
      changes += 1;
    });
    for (const word of ['a', 'b', 'c', 'd']) sent[0]?.say(text(word));
    await arrived();
    expect([changes, threadsOf(store)]).toEqual([0, [['user:Hi', 'waiting:']]]);
    nextFrame();
    expect([changes, threadsOf(store)]).toEqual([1, [['user:Hi', 'streaming:abcd']]]);
    sent[0]?.say('[DONE]');
    await arrived();
    expect(threadsOf(store)).toEqual([['user:Hi', 'done:abcd']]);
  });

  test('that is an example is sent at once and leaves the draft unchanged', async () => {
    const { store, sent, type } = chat();
    type('half a thou');
    store.send(MODELS, 'Explain caching.');
    await arrived();
    expect(sent[0]?.body.messages).toEqual([{ role: 'user', content: 'Explain caching.' }]);
    expect(store.state().draft.text).toBe('half a thou');
  });

  test('is not sent when empty or while an answer streams', async () => {
    const { store, sent, type } = chat();
    type('  ');
    store.send(MODELS);
    type('Hi');
    store.send(MODELS);
    type('Again');
    store.send(MODELS);
    await arrived();
    expect(sent).toHaveLength(1);
    expect(store.state().draft.text).toBe('Again');
  });
});

describe('an answer', () => {
  test('stays when stopped, and is part of the next request', async () => {
    const { store, sent, type, answered } = chat();
    type('Hi');
    store.send(MODELS);
    await arrived();
    sent[0]?.say(text('Half'));
    await arrived();
    store.stop();
    await arrived();
    expect([threadsOf(store), answered()]).toEqual([[['user:Hi', 'stopped:Half']], 1]);
    type('Go on');
    store.send(MODELS);
    await arrived();
    expect(sent[1]?.body.messages).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Half' },
      { role: 'user', content: 'Go on' },
    ]);
  });

  test('is regenerated in its own column only', async () => {
    const { store, sent, type } = chat();
    store.addThread('gen-b', null);
    type('Hi');
    store.send(MODELS);
    await arrived();
    for (const { say } of sent) {
      say(text('One'));
      say('[DONE]');
    }
    await arrived();
    const [first] = store.state().threads;
    store.regenerate(first?.id ?? '', first?.messages[1]?.id ?? '', MODELS);
    await arrived();
    expect(threadsOf(store)).toEqual([
      ['user:Hi', 'waiting:'],
      ['user:Hi', 'done:One'],
    ]);
    expect(sent[2]?.body.messages).toEqual([{ role: 'user', content: 'Hi' }]);
  });

  test('to an edited message replaces everything after it in every column', async () => {
    const { store, sent, type } = chat();
    store.addThread('gen-b', null);
    type('Hi');
    store.send(MODELS);
    await arrived();
    for (const { say } of sent) say('[DONE]');
    await arrived();
    store.edit(store.state().threads[0]?.messages[0]?.id ?? '', 'Ho', MODELS);
    expect(threadsOf(store)).toEqual([
      ['user:Ho', 'waiting:'],
      ['user:Ho', 'waiting:'],
    ]);
  });

  test('that calls a tool waits for the result and continues with it', async () => {
    const { store, sent, type } = chat();
    type('Weather?');
    store.send(MODELS);
    await arrived();
    sent[0]?.say(call('call_1', 'get_weather'));
    sent[0]?.say('[DONE]');
    await arrived();
    const [thread] = store.state().threads;
    if (thread === undefined) throw new Error('no thread');
    expect(openCalls(thread).map(({ name }) => name)).toEqual(['get_weather']);
    type('Well?');
    store.send(MODELS);
    await arrived();
    expect(sent).toHaveLength(1);
    store.answerCalls(thread.id, { call_1: 'rain' }, MODELS);
    await arrived();
    expect(sent[1]?.body.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
    ]);
  });

  test('does not reappear after clearing', async () => {
    const { store, sent, type, nextFrame } = chat();
    type('Hi');
    store.send(MODELS);
    await arrived();
    sent[0]?.say(text('Late'));
    store.clear();
    await arrived();
    nextFrame();
    expect(threadsOf(store)).toEqual([[]]);
  });
});

describe('the cost of a column', () => {
  const usage = { prompt_tokens: 1, cost_exact: '0.000000001', cost_currency: 'USD' };

  test('comes from the answer, or from the ledger when the answer was cut', async () => {
    const { store, sent, type } = chat();
    type('Hi');
    store.send(MODELS);
    await arrived();
    sent[0]?.say(text('Half'));
    await arrived();
    store.stop();
    await arrived();
    const [thread] = store.state().threads;
    const [, answer] = thread?.messages ?? [];
    expect(thread?.spent).toEqual({ USD: '0.001' });
    expect(answer?.kind === 'answer' && answer.answer.usage?.cost?.amount).toBe('0.001');
    store.regenerate(thread?.id ?? '', answer?.id ?? '', MODELS);
    await arrived();
    sent[1]?.say({ choices: [], usage });
    sent[1]?.say('[DONE]');
    await arrived();
    expect(store.state().threads[0]?.spent).toEqual({ USD: '0.001000001' });
  });

  test('is that of the prompt when stopped before the first token', async () => {
    const { store, type } = chat();
    type('Hi');
    store.send(MODELS);
    await arrived();
    store.stop();
    await arrived();
    expect(store.state().threads[0]?.spent).toEqual({ USD: '0.001' });
  });

  test('is zero when the request failed before the first token', async () => {
    const { store, sent, type } = chat();
    type('Hi');
    store.send(MODELS);
    await arrived();
    sent[0]?.say({ error: { message: 'No.', code: 'upstream_failed' } });
    await arrived();
    expect(threadsOf(store)).toEqual([['user:Hi', 'failed:']]);
    expect(store.state().threads[0]?.spent).toEqual({});
  });

  test('starts at zero in a new column and after clearing', async () => {
    const { store, sent, type } = chat();
    type('Hi');
    store.send(MODELS);
    await arrived();
    sent[0]?.say({ choices: [], usage });
    sent[0]?.say('[DONE]');
    await arrived();
    store.addThread('gen-b', null);
    expect(store.state().threads.map(({ spent }) => spent)).toEqual([{ USD: '0.000000001' }, {}]);
    const undo = store.clear();
    expect(store.state().threads.map(({ spent }) => spent)).toEqual([{}, {}]);
    undo();
    expect(threadsOf(store)[0]).toEqual(['user:Hi', 'done:']);
  });
});

describe('columns', () => {
  test('that are added for comparison start with a model that no column has', () => {
    const { store } = chat();
    store.compare(MODELS);
    store.compare(MODELS);
    expect(store.state().threads.map(({ model }) => model)).toEqual(['gen-a', 'gen-b', 'gen-a']);
  });

  test('are limited to four, and a new one copies the conversation', async () => {
    const { store, sent, type } = chat();
    type('Hi');
    store.send(MODELS);
    await arrived();
    sent[0]?.say('[DONE]');
    await arrived();
    for (let more = 0; more < 5; more += 1) store.addThread('gen-b', null);
    expect(threadsOf(store)).toEqual(Array.from({ length: 4 }, () => ['user:Hi', 'done:']));
  });
});

describe('saved state', () => {
  const storage = () => {
    const items = new Map<string, string>();
    return {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => void items.set(key, value),
      removeItem: (key: string) => void items.delete(key),
    };
  };

  test('has messages and draft, with streaming answers as stopped', async () => {
    const { store, sent, type, nextFrame } = chat();
    type('Hi');
    store.send(MODELS);
    await arrived();
    sent[0]?.say(text('Half'));
    await arrived();
    nextFrame();
    type('Next');
    const kept = storage();
    keepChat(kept, 'person_1', store.state());
    const again = savedChat(kept, 'person_1');
    expect(again?.threads.map(linesOf)).toEqual([['user:Hi', 'stopped:Half']]);
    expect(again?.draft.text).toBe('Next');
  });

  test('belongs to one person', () => {
    const { store } = chat();
    const kept = storage();
    keepChat(kept, 'person_1', store.state());
    expect(savedChat(kept, 'person_2')).toBeNull();
    expect(savedChat(kept, 'person_1')).toBeNull();
  });

  test('leaves out what is too large for the browser', () => {
    const { store, type } = chat();
    type('Next');
    const image = { id: 'a', kind: 'image', name: 'a.png', bytes: 1, dataUrl: 'data:,' } as const;
    store.change((state) => ({ ...state, draft: { ...state.draft, attachments: [image] } }));
    const kept = storage();
    keepChat(kept, 'person_1', store.state());
    expect(savedChat(kept, 'person_1')?.draft).toEqual({ text: 'Next', attachments: [] });
  });
});
