/**
 * Tests that the gateway releases all resources after 10,000 callers have disconnected during their
 * streams.
 */
import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { eventually } from '../support/eventually.ts';
import { startGateway } from '../support/gateways/gateway-process.ts';
import { residentMib } from '../support/gateways/process-memory.ts';
import { breaches, wallet } from '../support/history/ledger-views.ts';
import { metricsText } from '../support/metrics-text.ts';
import { beginOnly, SAID } from '../support/upstreams/hostile-answers.ts';
import { startHostileUpstream } from '../support/upstreams/hostile-upstream.ts';
import { CHAT, hello, MESSAGES, post, readUntil } from '../support/wire.ts';

const STREAMS = 10_000;
const WARM_UP = 2_000;
const AT_ONCE = 100;
const MAX_GROWTH_MIB = 32;
const COLLECTED_WITHIN_MS = 60_000;

test('releases sockets, holds and memory after ten thousand abandoned streams', async () => {
  const upstream = await startHostileUpstream();
  try {
    await using gateway = await startGateway({ config: upstream.config(), credit: '10000 USD' });
    upstream.script(beginOnly);
    const leave = async (count: number): Promise<void> => {
      let left = count;
      const work = async (): Promise<void> => {
        while (left > 0) {
          const turn = left--;
          const endpoint = turn % 2 === 0 ? 'chat' : 'messages';
          const model = turn % 4 < 2 ? 'scripted-chat' : 'scripted-messages';
          const leaving = new AbortController();
          const body = { ...hello[endpoint], model, stream: true };
          const path = endpoint === 'chat' ? CHAT : MESSAGES;
          const response = await post(gateway, path, body, {}, leaving.signal);
          await readUntil(response, (text) => text.includes(SAID));
          leaving.abort();
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      await eventually(
        'no upstream',
        () => upstream.open(),
        (open) => open === 0,
      );
      await eventually(
        'nothing is held',
        () => wallet(gateway),
        ({ held }) => held === 0n,
      );
    };
    const descriptors = (): number => readdirSync(`/proc/${gateway.pid}/fd`).length;
    await leave(WARM_UP);
    const before = { mib: residentMib(gateway.pid), descriptors: descriptors() };
    await leave(STREAMS);
    // The connection pool of the test's callers may keep some connections open, at most `AT_ONCE`
    // more than before.
    await eventually('descriptors', descriptors, (now) => now <= before.descriptors + AT_ONCE);
    await eventually(
      'memory in MiB over what it was',
      () => residentMib(gateway.pid) - before.mib,
      (mib) => mib < MAX_GROWTH_MIB,
      COLLECTED_WITHIN_MS,
    );
    const metrics = await metricsText(gateway);
    expect(metrics).toContain('\nmodelgate_requests_in_flight 0\n');
    expect(metrics).toContain('\nmodelgate_request_bytes_in_flight 0\n');
    expect(await breaches(gateway)).toEqual([]);
  } finally {
    upstream.stop();
  }
});
