import { beforeEach, describe, expect, test } from 'bun:test';
import { type ManualClock, manualClock } from '../../clock.fixture.ts';
import { nextTurn } from '../../clock.ts';
import { unavailable } from '../../store/store-fault.ts';
import { failureOf } from '../conformance/ledger.fixture.ts';
import { MAX_BATCH_COMMANDS, MAX_QUEUED_COMMANDS } from '../group-commit.ts';
import { BOOK_MS, FloatCommits } from './float-commits.ts';
import type { FloatLink } from './float-store.ts';
import type { WireWrite } from './float-wire.ts';

/** A request to the store's thread. */
type Asked = {
  readonly kind: string;
  /** The ids of the commands to write. */
  readonly ids: readonly string[];
  readonly answer: (answer: unknown) => void;
  readonly fail: () => void;
};

let asked: Asked[];
let clock: ManualClock;
let commits: FloatCommits;

beforeEach(() => {
  asked = [];
  clock = manualClock();
  const link: FloatLink = {
    ask: (kind, ask, received) =>
      new Promise((resolve, reject) => {
        const writes = typeof ask === 'string' ? (JSON.parse(ask) as WireWrite[]) : [];
        asked.push({
          kind,
          ids: writes.map((write) => write[1]),
          answer: (answer) => {
            received?.(answer as never);
            resolve(answer as never);
          },
          fail: () => reject(unavailable('the disk failed')),
        });
      }),
  };
  commits = new FloatCommits(link, clock);
});

const forget = (id: string): WireWrite => ['forget', id];
const append = (...ids: string[]) => commits.append(ids.map(forget));
const kinds = () => asked.map(({ kind, ids }) => [kind, ...ids].join(' '));
const answerLast = (answer: unknown = null) => asked.at(-1)?.answer(answer);

describe('writes of the float', () => {
  test('are sent at once while no commit is under way', () => {
    void append('a');
    expect(kinds()).toEqual(['append a']);
  });

  test('that arrive during a commit share the next one, also those that its answer causes', async () => {
    const first = append('a').then(() => append('d'));
    void append('b');
    void append('c');
    answerLast();
    await nextTurn();
    expect(kinds()).toEqual(['append a', 'append b c d']);
    answerLast();
    await first;
  });

  test('keep their order when the store decides some of them', async () => {
    void append('a');
    void commits.write([forget('b')]);
    void append('c');
    answerLast();
    await nextTurn();
    expect(kinds()).toEqual(['append a', 'write b']);
    answerLast('[["applied","0","0","0"]]');
    expect(kinds()).toEqual(['append a', 'write b', 'append c']);
  });

  test('are limited in number per commit and in the queue', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, each) => forget(`${each}`));
    void append('a');
    expect(await failureOf(commits.append(many(MAX_BATCH_COMMANDS + 1)))).toMatchObject({
      code: 'invalid_value',
    });
    for (let queued = 0; queued + MAX_BATCH_COMMANDS <= MAX_QUEUED_COMMANDS; ) {
      void commits.append(many(MAX_BATCH_COMMANDS)).catch(() => undefined);
      queued += MAX_BATCH_COMMANDS;
    }
    expect(await failureOf(commits.append(many(MAX_BATCH_COMMANDS)))).toMatchObject({
      code: 'store_unavailable',
    });
    answerLast();
    await nextTurn();
    expect(asked.at(-1)?.ids).toHaveLength(MAX_BATCH_COMMANDS);
  });

  test('fail with their commit, and stop sales until one succeeds', async () => {
    const failing = failureOf(append('a'));
    asked.at(-1)?.fail();
    expect(await failing).toMatchObject({ code: 'store_unavailable' });
    expect(() => commits.requireStore()).toThrow();
    const next = append('b');
    answerLast();
    await next;
    expect(() => commits.requireStore()).not.toThrow();
  });

  test('are awaited until they are answered, without waiting for later ones', async () => {
    void append('a');
    let isAnswered = false;
    const waiting = commits.answered().then(() => {
      isAnswered = true;
    });
    await nextTurn();
    expect(isAnswered).toBe(false);
    answerLast();
    await waiting;
    expect(kinds()).toEqual(['append a']);
  });

  test('are refused after closing, which waits for the answers of earlier writes', async () => {
    const first = append('a');
    const closing = commits.close();
    expect(await failureOf(append('b'))).toMatchObject({ code: 'store_unavailable' });
    answerLast();
    await Promise.all([first, closing]);
  });
});

describe('booking', () => {
  const written = async (): Promise<void> => {
    const writing = append('a');
    answerLast();
    await writing;
  };

  test('begins a while after the first charge, and repeats until nothing is left', async () => {
    await written();
    await nextTurn();
    await written();
    clock.advance(BOOK_MS - 1);
    expect(kinds().filter((kind) => kind === 'book')).toEqual([]);
    clock.advance(1);
    expect(kinds().at(-1)).toBe('book');
    answerLast('window');
    await nextTurn();
    answerLast('nothing');
    await nextTurn();
    clock.advance(10 * BOOK_MS);
    expect(kinds().filter((kind) => kind === 'book')).toHaveLength(2);
  });

  test('of charges that came meanwhile begins after another while', async () => {
    await written();
    await nextTurn();
    clock.advance(BOOK_MS);
    await written();
    asked.find(({ kind }) => kind === 'book')?.answer('tail');
    await nextTurn();
    clock.advance(BOOK_MS - 1);
    expect(kinds().filter((kind) => kind === 'book')).toHaveLength(1);
    clock.advance(1);
    expect(kinds().filter((kind) => kind === 'book')).toHaveLength(2);
  });

  test('that fails stops sales until it succeeds, whatever is appended', async () => {
    await written();
    clock.advance(BOOK_MS);
    asked.at(-1)?.fail();
    await nextTurn();
    await written();
    expect(() => commits.requireStore()).toThrow();
    clock.advance(BOOK_MS);
    expect(kinds().at(-1)).toBe('book');
    answerLast('nothing');
    await nextTurn();
    expect(() => commits.requireStore()).not.toThrow();
  });
});
