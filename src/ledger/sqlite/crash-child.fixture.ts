/**
 * A process for the crash test to kill. It settles requests as fast as it can and prints each
 * durable id.
 */
import { writeSync } from 'node:fs';
import { hold, LEASE_MS, settle } from '../conformance/ledger.fixture.ts';
import { openFile } from './sqlite.fixture.ts';

const LANES = 16;
const [, , file = '', trial = ''] = process.argv;
const { ledger } = await openFile(file);
await ledger.join({ epoch: trial, name: 'child' }, LEASE_MS);

async function lane(number: number): Promise<void> {
  for (let each = 0; ; each++) {
    const id = `h${trial}_${number}_${each}`;
    await ledger.apply([hold(id, 10n, { epoch: trial })]);
    // Writes unbuffered, so that the parent gets every acknowledged id even if this process is
    // killed.
    writeSync(1, `held ${id}\n`);
    await ledger.apply([settle(id, 7n)]);
    writeSync(1, `settled ${id}\n`);
  }
}

await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)));
