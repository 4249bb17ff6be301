/**
 * Tests how every recorded stream of a chat or Messages server is translated for a Responses
 * caller.
 */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { GatewayError } from '../../errors.ts';
import { recorded as recordedChat } from '../chat/recorded-chat.fixture.ts';
import { recorded as recordedMessages } from '../messages/recorded-messages.fixture.ts';
import { brokenRules } from '../responses-rules.fixture.ts';
import type { Translator } from '../translator.ts';
import { OVER_CHAT, OVER_MESSAGES, responseStream, translated } from './answer.fixture.ts';

const CUT = new GatewayError('upstream_truncated', 'The provider ended its answer early.');
const MOMENT = { requestId: 'req_01JD', createdSeconds: 1, model: 'm', started: true };
const SEED = { seed: 20_261_122 };

describe('every recorded stream', () => {
  const sources: readonly (readonly [string, Translator, typeof recordedChat, string])[] = [
    ['chat', OVER_CHAT, recordedChat, 'data: [DONE]'],
    ['messages', OVER_MESSAGES, recordedMessages, 'message_stop'],
  ];
  for (const [source, translator, recorded, endMark] of sources) {
    for (const name of recorded.names()) {
      const bytes = recorded.upstreamBytes(name);
      const uncut = translated(translator, [bytes]);

      test(`${source} ${name}: keeps every rule`, () => {
        expect(brokenRules(uncut.text, uncut.ended)).toEqual([]);
        expect(uncut.ended).toBe(uncut.facts.error === null);
      });

      test(`${source} ${name}: is the same cut into any chunks`, () => {
        const cuts = fc.uniqueArray(fc.nat(bytes.byteLength), { maxLength: 12 });
        fc.assert(
          fc.property(cuts, (at) => {
            const edges = [0, ...at.sort((a, b) => a - b), bytes.byteLength];
            const pieces = edges.slice(1).map((end, index) => bytes.subarray(edges[index], end));
            expect(translated(translator, pieces)).toEqual(uncut);
          }),
          { ...SEED, numRuns: 20 },
        );
        const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
        expect(translated(translator, single)).toEqual(uncut);
      });

      test(`${source} ${name}: truncated anywhere it ends as a failure`, () => {
        const mark = Buffer.from(bytes).lastIndexOf(endMark);
        for (let at = 0; at < (mark < 0 ? bytes.byteLength : mark); at += 7) {
          const response = responseStream();
          const cut = translated(translator, [bytes.subarray(0, at)], { response });
          expect(cut.ended).toBe(false);
          expect(brokenRules(cut.text, false)).toEqual([]);
          if (cut.text === '') continue;
          const ending = Buffer.from(response.errorEvent(CUT, MOMENT)).toString();
          expect(brokenRules(cut.text + ending, true)).toEqual([]);
        }
      });
    }
  }
});
