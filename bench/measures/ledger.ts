import type { Measure } from './measure.ts';

const QUESTION =
  'What do the hold and the durable settlement of a request cost, with 32 concurrent requests?';
const OFFERED_PER_SECOND = 1_000;
const NODES = 3;

/** The figures that SQLite and PostgreSQL report for 32 callers in a closed loop. */
const CLOSED_LOOP: Measure['figures'] = [
  { key: 'perSecond', label: 'settlements', unit: 'per s', better: 'higher' },
  { key: 'p50Ms', label: 'latency of a command p50', unit: 'ms', better: 'lower' },
  { key: 'p99Ms', label: 'latency of a command p99', unit: 'ms', better: 'lower' },
];

export const ledgerSqlite: Measure = {
  name: 'ledger-sqlite',
  question: QUESTION,
  sketch:
    "A commit writes the charges of all waiting requests at once: 3 to 10 µs of the store's thread per charge, and " +
    '0.2 ms to flush the disk. Booking a charge later takes 15 to 20 µs; a commit may wait for a group of ' +
    'bookings. So the ledger settles 20,000 requests a second.',
  models: [],
  subjects: ['modelgate'],
  figures: [
    ...CLOSED_LOOP,
    { key: 'storeUs', label: "CPU of the store's thread", unit: 'µs', better: 'lower', of: 'cpu' },
    {
      key: 'threadsUs',
      label: 'CPU of all threads but the main one',
      unit: 'µs',
      better: 'lower',
      of: 'cpu',
    },
    { key: 'mainUs', label: 'CPU of the main thread', unit: 'µs', better: 'lower', of: 'cpu' },
  ],
  run: async ({ ledger }) => ({ ...(await ledger([])) }),
};

export const ledgerPostgres: Measure = {
  name: 'ledger-postgres',
  question:
    'What does a durable settlement cost after a hold in memory, with 32 concurrent requests, at ' +
    `${OFFERED_PER_SECOND.toLocaleString('en')} requests a second, and on ${NODES} nodes? And what does ` +
    'a request cost whose hold is also made in the store (exact)?',
  sketch:
    'A statement settles a batch of 32 and flushes the disk. Each settlement takes 50 µs of the server and 20 µs ' +
    'of the client. Server, client and load share the cores, so 8,000 to 13,000 settlements a second at a p99 of ' +
    '4 to 8 ms. Nodes do not wait for each other: three nodes together reach 25,000. An exact request has two ' +
    'commands and writes three times as many rows.',
  models: [],
  subjects: ['modelgate'],
  figures: [
    { key: 'perSecond', label: 'settlements', unit: 'per s', better: 'higher' },
    { key: 'p50Ms', label: 'latency of a settlement p50', unit: 'ms', better: 'lower' },
    { key: 'p99Ms', label: 'latency of a settlement p99', unit: 'ms', better: 'lower' },
    { key: 'serverUs', label: 'CPU of the server', unit: 'µs', better: 'lower', of: 'cpu' },
    { key: 'clientUs', label: 'CPU of the client', unit: 'µs', better: 'lower', of: 'cpu' },
    { key: 'offeredP50Ms', label: 'latency at 1,000 a second p50', unit: 'ms', better: 'lower' },
    { key: 'offeredP99Ms', label: 'latency at 1,000 a second p99', unit: 'ms', better: 'lower' },
    {
      key: 'nodesPerSecond',
      label: `settlements of ${NODES} nodes`,
      unit: 'per s',
      better: 'higher',
    },
    { key: 'exactPerSecond', label: 'exact requests', unit: 'per s', better: 'higher' },
    { key: 'exactP99Ms', label: 'latency of an exact command p99', unit: 'ms', better: 'lower' },
    {
      key: 'exactServerUs',
      label: 'CPU of the server for an exact request',
      unit: 'µs',
      better: 'lower',
      of: 'cpu',
    },
  ],
  run: async ({ ledger }) => {
    const closed = await ledger(['--postgres']);
    const offered = await ledger(['--postgres', '--rate', String(OFFERED_PER_SECOND)]);
    const nodes = await ledger(['--postgres', '--nodes', String(NODES)]);
    const exact = await ledger(['--postgres', '--exact']);
    return {
      perSecond: closed.perSecond,
      p50Ms: closed.p50Ms,
      p99Ms: closed.p99Ms,
      serverUs: closed.serverUs,
      clientUs: closed.mainUs + closed.threadsUs,
      offeredP50Ms: offered.p50Ms,
      offeredP99Ms: offered.p99Ms,
      nodesPerSecond: nodes.perSecond,
      exactPerSecond: exact.perSecond,
      exactP99Ms: exact.p99Ms,
      exactServerUs: exact.serverUs,
    };
  },
};
