/** A process to be killed: settles requests as fast as it can and prints the id of each that is durable. */
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
    // Written at once, not buffered: what the parent reads had been acknowledged.
    writeSync(1, `held ${id}\n`);
    await ledger.apply([settle(id, 7n)]);
    writeSync(1, `settled ${id}\n`);
  }
}

await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)));
