/**
 * Tests streams that the upstream truncates after any byte, through each translator. The received
 * part, followed by the error event, must be a valid stream that ends in an error. This file tests
 * pure functions on every byte of every recording; `cut-stream-charges.test.ts` tests sockets and
 * charges.
 */
import { describe, expect, test } from 'bun:test';
import { GatewayError } from '../src/errors.ts';
import { JsonScan } from '../src/json/scan.ts';
import { chatDialect } from '../src/protocols/chat/errors.ts';
import { recorded as chatRecorded } from '../src/protocols/chat/recorded-chat.fixture.ts';
import { chatToChat } from '../src/protocols/chat/translator.ts';
import { chatToMessages } from '../src/protocols/chat-to-messages/translator.ts';
import type { Dialect, StreamPass } from '../src/protocols/dialect.ts';
import { messagesDialect } from '../src/protocols/messages/errors.ts';
import { recorded as messagesRecorded } from '../src/protocols/messages/recorded-messages.fixture.ts';
import { messagesToMessages } from '../src/protocols/messages/translator.ts';
import { messagesToChat } from '../src/protocols/messages-to-chat/translator.ts';
import { NO_QUIRKS } from '../src/protocols/quirks.ts';
import type { Translator } from '../src/protocols/translator.ts';
import { readEnding } from './support/upstreams/stream-grammar.ts';

const recorded = { chat: chatRecorded, messages: messagesRecorded } as const;
const CUT = new GatewayError('upstream_truncated', 'The provider ended its answer early.');
const REQUEST = { requestId: 'req_1', createdSeconds: 1_790_000_000, model: 'm', started: true };
const MODEL = { maxOutput: 1000 };
const COST = { usd: '0.001', exact: '0.001000000', currency: 'USD', estimated: null } as const;

const dialects = { chat: chatDialect, messages: messagesDialect } as const;
const translators = [chatToChat, chatToMessages, messagesToMessages, messagesToChat] as const;

function bodyOf({ caller }: Translator) {
  const body = {
    model: 'm',
    messages: [{ role: 'user', content: 'Hello' }],
    ...(caller === 'messages' ? { max_tokens: 100 } : {}),
  };
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const scan = new JsonScan({ maxDepth: 64 });
  scan.advance(bytes, bytes.byteLength);
  return scan.finish(bytes, bytes.byteLength);
}

function opener(translator: Translator): () => StreamPass {
  const prepared = translator.prepare(bodyOf(translator), MODEL, true);
  return () =>
    prepared.openStream({
      ...REQUEST,
      quirks: NO_QUIRKS,
      includeUsage: true,
      maxEventBytes: 64 * 1024,
      estimatedInput: 3,
      response: null,
    });
}

type Cut = { readonly sent: string; readonly ended: boolean; readonly reported: boolean };

/**
 * Yields the part of the stream that the caller has received, first before the upstream sends
 * anything, and then after each byte that the upstream sends.
 */
function* cuts(open: () => StreamPass, bytes: Uint8Array): Generator<Cut> {
  const pass = open();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let sent = '';
  for (let end = 0; end <= bytes.length; end++) {
    if (end > 0) sent += decoder.decode(pass.push(bytes.slice(end - 1, end)), { stream: true });
    yield { sent, ended: pass.ended, reported: pass.facts.error !== null };
    if (pass.ended || pass.facts.error !== null) return;
  }
}

const errorEvent = (dialect: Dialect): string =>
  new TextDecoder().decode(dialect.errorEvent(CUT, REQUEST));

describe.each(translators)('$caller from $upstream', (translator) => {
  const { caller, upstream } = translator;
  const open = opener(translator);
  test.each(recorded[upstream].names())('%s: ends in an error wherever it is cut', (name) => {
    let looked = 0;
    let whole = false;
    for (const { sent, ended, reported } of cuts(open, recorded[upstream].upstreamBytes(name))) {
      if (ended) {
        whole = true;
        break;
      }
      // If the recording contains an error of the upstream, the caller's stream also ends with an
      // error event. Such a recording has no end mark, so the test ends here.
      const ending = readEnding(caller, sent + errorEvent(dialects[caller]));
      expect(ending).toEqual({ end: 'error', code: 'upstream_truncated' });
      if (reported) return;
      looked += 1;
    }
    expect(looked).toBeGreaterThan(20);
    // The complete recording has an end mark, so its translation must be a valid, successful
    // stream.
    expect(whole).toBe(true);
    const pass = open();
    const bytes = recorded[upstream].upstreamBytes(name);
    const text = new TextDecoder().decode(pass.push(bytes.slice())) + closing(pass);
    expect(readEnding(caller, text)).toEqual({ end: 'success' });
  });
});

const closing = (pass: StreamPass): string => new TextDecoder().decode(pass.finish(COST));
