/** Tests a server on SQLite that is killed and paused at random moments under load. */
import { expect, test } from 'bun:test';
import { crashLoop, summary } from './support/gateways/crash-loop.ts';
import { startGateway } from './support/gateways/gateway-process.ts';
import { recordsOfFolder } from './support/history/ledger-records.ts';
import { printedSeed } from './support/random.ts';
import { startPacedUpstream } from './support/upstreams/paced-upstream.ts';

/** The time limit. The test takes a few seconds, but more on a busy machine. */
const LIMIT_MS = 180_000;

test(
  'loses nothing acknowledged and charges nothing twice on SIGKILL at random moments',
  async () => {
    const upstream = await startPacedUpstream();
    await using first = await startGateway({ config: upstream.config() });
    const { folder, dataDir } = first;
    await first.stop();
    const report = await crashLoop({
      seed: printedSeed('crash loop on SQLite'),
      nodes: 1,
      kills: 4,
      stops: 1,
      stopMs: 500,
      start: () => startGateway({ folder, config: upstream.config() }),
      records: () => recordsOfFolder(dataDir),
    });
    upstream.stop();
    console.log(summary(report));
    expect(report.faults).toEqual([]);
    expect(report.tally['ok']).toBeGreaterThan(10);
    expect(report.tally['unknown']).toBeGreaterThan(0);
    expect(report.tally['refused 402']).toBeGreaterThan(0);
  },
  LIMIT_MS,
);
