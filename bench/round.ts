/**
 * One round: starts every subject, runs every measure on one after another, then ends everything.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Children, freePort } from './children.ts';
import type { Pins } from './machine.ts';
import type { Measure, Trial } from './measures/measure.ts';
import type { Plan, ResultOf } from './plan.ts';
import { modelOf, type Subject, type SubjectName, startSubject } from './subjects.ts';
import type { Row } from './summary.ts';

const MOCK_UPSTREAM = join(import.meta.dir, 'mock/mock-upstream.ts');
const LOAD = join(import.meta.dir, 'load/load.ts');
/** On the project's disk, not in memory: a durable commit must have its real cost. */
const SCRATCH = join(import.meta.dir, '..', '.tmp');
/** The time limit of a load process; the slowest subject takes a minute for many streams. */
const LOAD_WITHIN_MS = 180_000;
/** A shorter window has too few answers to summarize. */
const SHORTEST_WINDOW_MS = 50;

export type RoundPlan = {
  readonly round: number;
  readonly subjects: readonly SubjectName[];
  readonly measures: readonly Measure[];
  readonly scale: number;
  readonly pins: Pins;
};

/**
 * Runs one round and reports each row at once. A measure that fails on a subject yields a row with
 * the reason, and the round continues.
 * @throws Error when the mock upstream or a subject fails to start.
 */
export async function runRound(plan: RoundPlan, report: (row: Row) => void): Promise<void> {
  const folder = join(SCRATCH, `bench-${process.pid}-${plan.round}`);
  mkdirSync(folder, { recursive: true });
  const clear = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    await using children = new Children(folder);
    // Registered after the children's own exit handler, which must run before.
    process.once('exit', clear);
    const bench = await startMock(children, plan.pins);
    const models = [...new Set(plan.measures.flatMap((measure) => measure.models))];
    const ground = { children, folder, mockPort: bench.mockPort, core: plan.pins.subject, models };
    const subjects: Subject[] = [];
    for (const name of plan.subjects) subjects.push(await startSubject(name, ground));
    for (const measure of plan.measures) {
      const able = subjects.filter(({ name }) => name === (measure.only ?? name));
      for (const subject of rotated(able, plan.round)) {
        const about = { measure: measure.name, subject: subject.name, round: plan.round };
        const trial = trialOf(subject, bench, plan.scale);
        report({ ...about, ...(await attempt(measure, trial, children)) });
      }
    }
  } finally {
    process.off('exit', clear);
    clear();
  }
}

type Bench = {
  readonly mockPort: number;
  readonly load: Trial['load'];
};

async function startMock(children: Children, pins: Pins): Promise<Bench> {
  const mockPort = freePort();
  const argv = [process.execPath, MOCK_UPSTREAM, String(mockPort)];
  const mock = children.start({ name: 'mock-upstream', argv, core: pins.mock });
  await children.ready(mock, `http://127.0.0.1:${mockPort}/open-streams`);
  const command = { name: 'load', argv: [process.execPath, LOAD], core: pins.load };
  const load = async <P extends Plan>(plan: P): Promise<ResultOf<P>> =>
    JSON.parse(await children.answer(command, JSON.stringify(plan), LOAD_WITHIN_MS));
  return { mockPort, load };
}

function trialOf(subject: Subject, bench: Bench, scale: number): Trial {
  return {
    subject,
    target: {
      port: subject.port,
      path: '/v1/chat/completions',
      headers: subject.headers,
      watchPid: subject.child?.pid ?? null,
    },
    model: (upstreamModel, dialect) => modelOf(subject.name, upstreamModel, dialect),
    load: bench.load,
    upstreamStreams: async () => {
      const answer = await fetch(`http://127.0.0.1:${bench.mockPort}/open-streams`, {
        signal: AbortSignal.timeout(LOAD_WITHIN_MS),
      });
      return Number(await answer.text());
    },
    scaledMs: (fullMs) => Math.max(SHORTEST_WINDOW_MS, Math.round(fullMs * scale)),
  };
}

async function attempt(
  measure: Measure,
  trial: Trial,
  children: Children,
): Promise<Pick<Extract<Row, { found: object }>, 'found'> | { readonly failure: string }> {
  try {
    return { found: await measure.run(trial) };
  } catch (thrown) {
    const { child } = trial.subject;
    const end = child === null ? null : children.endOf(child);
    return { failure: end ?? (thrown instanceof Error ? thrown.message : String(thrown)) };
  }
}

/** Another subject starts each round, so that none always follows the same one. */
function rotated<Item>(items: readonly Item[], by: number): readonly Item[] {
  const from = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(from), ...items.slice(0, from)];
}
