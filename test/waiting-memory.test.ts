/** Tests the memory of requests that wait for a whole answer. */
import { expect, test } from 'bun:test';
import { eventually } from './support/eventually.ts';
import { startGateway } from './support/gateways/gateway-process.ts';
import { residentMib } from './support/gateways/process-memory.ts';
import { openRawCaller, type RawCaller } from './support/raw-caller.ts';
import { startHostileUpstream } from './support/upstreams/hostile-upstream.ts';
import { ask, CHAT, hello } from './support/wire.ts';

const MIB = 1024 * 1024;
const CALLERS = 32;
/** The size of each prompt. All together are far more than the heap varies by. */
const PROMPT_MIB = 4;
/** Memory as a multiple of the prompts. Each further copy of them would add 1. */
const MAX_COPIES = 1.75;
const COLLECTED_WITHIN_MS = 30_000;
/** Enough rounds of eight requests for several collections of all objects. */
const LOAD_ROUNDS = 250;
const LIMITS = 'limits: { request_bytes: 1GiB }\n# limits: ';

/** The caller's bytes are kept, because another route may need them. */
test.each(['scripted-chat', 'scripted-messages'])(
  'requests that wait for a whole answer of %s keep their prompts once',
  async (model) => {
    const upstream = await startHostileUpstream();
    await using gateway = await startGateway({ config: upstream.config({ '# limits: ': LIMITS }) });
    // Short requests make the garbage collector run.
    const askSome = (): Promise<unknown> =>
      Promise.all(Array.from({ length: 8 }, () => ask(gateway, CHAT, hello.chat)));
    for (let round = 0; round < LOAD_ROUNDS; round++) await askSome();
    const idleMib = residentMib(gateway.pid);
    let asked = 0;
    upstream.script(() => {
      asked += 1;
    });
    const url = `data:image/png;base64,${'A'.repeat(PROMPT_MIB * MIB)}`;
    const content = [
      { type: 'text', text: 'Hello' },
      { type: 'image_url', image_url: { url } },
    ];
    const body = JSON.stringify({ model, messages: [{ role: 'user', content }] });
    const callers: RawCaller[] = [];
    try {
      for (let n = 1; n <= CALLERS; n++) {
        const length = { 'content-length': String(body.length) };
        const caller = await openRawCaller(gateway, CHAT, length);
        callers.push(caller);
        caller.write(body);
        await eventually(
          'requests of the upstream',
          () => asked,
          (count) => count === n,
        );
      }
      await eventually(
        'memory in MiB',
        async () => {
          await askSome();
          return residentMib(gateway.pid) - idleMib;
        },
        (mib) => mib < CALLERS * PROMPT_MIB * MAX_COPIES,
        COLLECTED_WITHIN_MS,
      );
      expect(upstream.open()).toBe(CALLERS);
    } finally {
      for (const caller of callers) caller.leave();
      upstream.stop();
    }
  },
);
