/**
 * Thirty failures that users of other gateways have reported, each as a rule of ours with its number. This
 * file says where each is proved, and holds the list to the tests that exist; those about upstreams,
 * streams, connections, memory and keys have a proof of their own in `thirty-failures-streams.test.ts` and
 * `thirty-failures-keys.test.ts`.
 */
import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '..');

type Failure = { readonly number: number; readonly rule: string } & (
  | { readonly proofs: readonly (readonly [file: string, title: string])[] }
  | { readonly cannotApply: string }
);

const STREAMS = 'test/thirty-failures-streams.test.ts';
const KEYS = 'test/thirty-failures-keys.test.ts';
/** In the two files above, a test's title begins with its number. */
const own = (number: number, file: string) => [file, `'${number}. `] as const;

const FAILURES: readonly Failure[] = [
  {
    number: 1,
    rule: 'of many calls at once just as many are let in as the money is for',
    proofs: [
      [
        'test/exact-funds.test.ts',
        'as many are served as the wallet pays for, and it ends at zero',
      ],
    ],
  },
  {
    number: 2,
    rule: 'a wallet never goes below its floor, whoever spends from it',
    proofs: [
      ['test/affordable.test.ts', 'so that many at once cannot outspend the wallet'],
      ['src/ledger/verify.test.ts', 'has a planted fault for every law'],
    ],
  },
  {
    number: 3,
    rule: 'a cap refuses by what is in the books, not by a counter beside them',
    proofs: [
      ['test/exact-funds.test.ts', "as many are served as the key's cap allows"],
      ['src/accounts/limits/limits-conformance.test.ts', ''],
    ],
  },
  {
    number: 4,
    rule: 'a hundred requests at once leave a hundred receipts, and their sum is what was taken',
    proofs: [own(4, STREAMS)],
  },
  {
    number: 5,
    rule: 'receipts have ids of our own, whatever ids the upstream gives',
    proofs: [own(5, STREAMS)],
  },
  {
    number: 6,
    rule: 'every endpoint, streamed or not, well or badly ended, leaves a receipt',
    proofs: [own(6, STREAMS)],
  },
  {
    number: 7,
    rule: 'a stream that breaks off is charged for what was delivered, and leaves nothing behind',
    proofs: [own(7, STREAMS), ['test/cut-books.test.ts', 'cut after every byte']],
  },
  {
    number: 8,
    rule: 'a caller who leaves pays for the input and what was delivered, and the upstream is stopped',
    proofs: [own(8, STREAMS), ['test/lifecycle.test.ts', 'a caller who leaves']],
  },
  {
    number: 9,
    rule: 'a caller who leaves before the first byte is noticed at once',
    proofs: [own(9, STREAMS)],
  },
  {
    number: 10,
    rule: 'streams that are left leave no connection, hold or place behind',
    proofs: [
      own(10, STREAMS),
      ['src/upstreams/network-faults.test.ts', 'leaves no listener, timer'],
    ],
  },
  {
    number: 11,
    rule: 'memory comes back after every kind of request',
    proofs: [own(11, STREAMS), ['test/soak/aborted-streams.test.ts', 'come back']],
  },
  {
    number: 12,
    rule: 'nothing loads a whole table to tidy it',
    proofs: [['src/ledger/sqlite/roll-up.test.ts', '']],
  },
  {
    number: 13,
    rule: 'nothing is tokenised on the event loop, and a stall of it is measured',
    proofs: [['src/telemetry/event-loop-delay.test.ts', 'what held it up is told']],
  },
  {
    number: 14,
    rule: 'a store that is away is a 503, never a 401',
    proofs: [
      ['src/accounts/key-cache.test.ts', 'a lookup that fails is not kept'],
      ['src/accounts/accounts.test.ts', 'store_unavailable'],
    ],
  },
  { number: 15, rule: 'Redis away', cannotApply: 'There is no Redis: the one store is in 14.' },
  {
    number: 16,
    rule: 'limits hold over all nodes together',
    proofs: [['src/accounts/limits/limiter.test.ts', 'nodes share a limit']],
  },
  {
    number: 17,
    rule: 'text is whole wherever its bytes are cut, in every script and with every line end',
    proofs: [own(17, STREAMS)],
  },
  {
    number: 18,
    rule: 'an event without an end is refused, not gathered',
    proofs: [own(18, STREAMS), ['test/bounds.test.ts', 'an event of 100 MB']],
  },
  {
    number: 19,
    rule: 'a caller who reads nothing holds the upstream up, and costs little',
    proofs: [own(19, STREAMS), ['test/bounds.test.ts', 'callers who read nothing cost little']],
  },
  {
    number: 20,
    rule: 'large bodies have one budget, and are passed on without being decoded',
    proofs: [own(20, STREAMS), ['test/bounds.test.ts', 'beyond the budget']],
  },
  {
    number: 21,
    rule: 'an end without the end mark is an error, told and booked as a truncation',
    proofs: [own(21, STREAMS), ['test/cut-streams.test.ts', 'an error at the end']],
  },
  {
    number: 22,
    rule: 'a stop lets streams finish and settles all of them',
    proofs: [
      ['test/drain.test.ts', 'SIGTERM cuts none of hundreds of streams'],
      ['test/lifecycle.test.ts', 'a stream that outlasts the drain is told so'],
    ],
  },
  {
    number: 23,
    rule: 'what may have been started is not asked for again, and one key runs once',
    proofs: [own(23, STREAMS), ['test/idempotency.test.ts', 'twenty at once run once']],
  },
  {
    number: 24,
    rule: 'an idle connection that the upstream has closed fails no request',
    proofs: [own(24, STREAMS)],
  },
  {
    number: 25,
    rule: 'nothing that streams use is closed because it is old',
    proofs: [['test/drain.test.ts', 'two versions side by side']],
  },
  {
    number: 26,
    rule: 'no caller chooses where a request goes, and no redirect is followed',
    proofs: [own(26, KEYS), ['src/upstreams/egress.test.ts', 'a name pointed elsewhere']],
  },
  {
    number: 27,
    rule: 'every route says who may call it, and none can be reached around that',
    proofs: [own(27, KEYS), ['src/main/every-route.test.ts', 'answers 401 without a credential']],
  },
  {
    number: 28,
    rule: 'no key, organisation, host or prompt is where it does not belong',
    proofs: [own(28, KEYS)],
  },
  {
    number: 29,
    rule: 'dependencies are few and pinned, and none runs a script when it is installed but the runtime',
    proofs: [own(29, KEYS)],
  },
  {
    number: 30,
    rule: 'what has no price is not sold',
    proofs: [['src/config/check-file.test.ts', 'nothing is sold without a price']],
  },
];

test('the list is whole: thirty, each once', () => {
  expect(FAILURES.map(({ number }) => number)).toEqual(
    Array.from({ length: 30 }, (_, at) => at + 1),
  );
});

for (const failure of FAILURES) {
  test(`${failure.number}. ${failure.rule}`, () => {
    if ('cannotApply' in failure) {
      const packages = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).dependencies;
      expect(Object.keys(packages).filter((name) => name.includes('redis'))).toEqual([]);
      return;
    }
    expect(failure.proofs).not.toBeEmpty();
    for (const [file, title] of failure.proofs) {
      const path = join(ROOT, file);
      expect([file, existsSync(path)]).toEqual([file, true]);
      expect(readFileSync(path, 'utf8')).toContain(title);
    }
  });
}
