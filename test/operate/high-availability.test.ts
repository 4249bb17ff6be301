/**
 * Tests docs/operate/high-availability.md, which describes PostgreSQL under Patroni. The test
 * causes the loss of the primary under load four times. The page reports 30 losses, which take 20
 * minutes.
 */
import { expect, test } from 'bun:test';
import { failOverLoop, LOSSES, type Loss } from '../support/cluster/fail-over-loop.ts';
import { missingPackages, startCluster } from '../support/cluster/patroni.ts';
import { printedSeed } from '../support/random.ts';
import { startPacedUpstream } from '../support/upstreams/paced-upstream.ts';

/** The number of times that the primary is lost. The test alternates between the kinds of loss. */
const ROUNDS = 4;
const KINDS = Object.keys(LOSSES) as readonly Loss[];

test('a lost primary loses no acknowledged charge, and another one sells', async () => {
  const missing = missingPackages();
  if (missing.length > 0) {
    console.log(`The fail-over test is skipped: install Debian's packages ${missing.join(', ')}.`);
    return;
  }
  await using cluster = await startCluster(3);
  const upstream = await startPacedUpstream();
  try {
    const losses = Array.from(
      { length: ROUNDS },
      (_, at) => KINDS[at % KINDS.length] ?? 'server killed',
    );
    const report = await failOverLoop(cluster, losses, {
      seed: printedSeed('fail-over'),
      config: upstream.config(),
    });
    console.log(JSON.stringify({ tally: report.tally, late: report.late }));
    expect(report.faults).toEqual([]);
    expect(report.breaches).toEqual([]);
    expect(report.exits).toEqual([0, 0]);
    expect(report.failOvers).toHaveLength(ROUNDS);
  } finally {
    await upstream.stop();
  }
}, 1_800_000);
