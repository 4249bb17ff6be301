/**
 * Tests holds in memory by simulation, on one node and on several, with thousands of random seeds.
 */
import { afterAll, expect, test } from 'bun:test';
import { simulateNodes } from '../../src/ledger/assigned/assigned-simulation.fixture.ts';
import { simulate } from '../../src/ledger/float/float-simulation-run.fixture.ts';
import { removeFiles } from '../../src/ledger/sqlite/sqlite.fixture.ts';
import { printedSeed } from '../support/random.ts';

const SEEDS = 5_000;
const STEPS = 400;

afterAll(removeFiles);

test('float, store and requests agree after every step, whatever happens', async () => {
  const first = printedSeed('simulation of the float') % 1_000_000_000;
  expect(await simulate({ first, seeds: SEEDS, steps: STEPS })).toBeNull();
});

test('the money of several nodes and their store is whole after every step', async () => {
  const first = printedSeed('simulation of several nodes') % 1_000_000_000;
  expect(await simulateNodes({ first, seeds: SEEDS, steps: STEPS })).toBeNull();
});
