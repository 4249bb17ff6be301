/**
 * Runs one round: starts every subject (a gateway or a baseline), runs each measure on one subject
 * after another, and ends all processes.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { modelName } from './behavior.ts';
import { Children, freePort } from './children.ts';
import type { Pins } from './machine.ts';
import { type Found, type Measure, shortAsk, streamAsk, type Trial } from './measures/measure.ts';
import { isPeer } from './peers.ts';
import type { Plan, ResultOf } from './plan.ts';
import { modelOf, type Subject, type SubjectName, startSubject } from './subjects.ts';
import type { Row } from './summary.ts';

const MOCK_UPSTREAM = join(import.meta.dir, 'mock/mock-upstream.ts');
const LOAD = join(import.meta.dir, 'load/load.ts');
const MAIN = join(import.meta.dir, 'main.ts');
/**
 * The folder for data. It is on the project's disk, not in the system's temporary folder, so that
 * durable commits have their real cost.
 */
const SCRATCH = join(import.meta.dir, '..', '.tmp');
/** The time limit of a load process. The slowest subject takes a minute for many streams. */
const LOAD_WITHIN_MS = 180_000;
/** The minimum length of a measured period. A shorter one has too few answers to summarize. */
const SHORTEST_WINDOW_MS = 50;

/**
 * The length of the warm-up, in requests and streams. After the warm-up, the subject's code is
 * compiled, and CPU per request no longer falls.
 */
const WARM_UP_REQUESTS = 20_000;
const WARM_UP_STREAMS = 6_000;
const WARM_UP_CALLERS = 32;
/**
 * The time limit of the warm-up of another vendor's gateway. Some answer only 60 requests a second.
 */
const PEER_WARM_UP_MS = 30_000;
const WARM_UP_MODEL = modelName({ kind: 'json' });
const WARM_UP_EVENTS = 100;
const WARM_UP_STREAM = modelName({ kind: 'sse', events: WARM_UP_EVENTS, everyMs: 0 });

export type RoundPlan = {
  readonly round: number;
  readonly subjects: readonly SubjectName[];
  readonly measures: readonly Measure[];
  readonly scale: number;
  readonly pins: Pins;
  /** The folder with the checkout of the commit to compare with; null without a comparison. */
  readonly baseFolder: string | null;
};

/**
 * Runs one round and reports each result as soon as it is measured. If a measure or the warm-up
 * fails on a subject, reports the reason instead, and continues.
 * @throws Error when the mock upstream or a subject fails to start.
 */
export async function runRound(plan: RoundPlan, report: (row: Row) => void): Promise<void> {
  const folder = join(SCRATCH, `bench-${process.pid}-${plan.round}`);
  mkdirSync(folder, { recursive: true });
  const clear = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    await using children = new Children(folder);
    // Exit handlers run in the order of registration, so the children end before their folder is
    // removed.
    process.once('exit', clear);
    const bench = await startMock(children, plan);
    const used = plan.measures.flatMap((measure) => measure.models);
    const models = [...new Set([WARM_UP_MODEL, WARM_UP_STREAM, ...used])];
    const { baseFolder, pins } = plan;
    const { mockPort } = bench;
    const ground = { children, folder, mockPort, core: pins.subject, models, baseFolder };
    const subjects: Subject[] = [];
    for (const name of plan.subjects) subjects.push(await startSubject(name, ground));
    const trials = subjects.map((subject) => trialOf(subject, bench, plan.scale));
    const failed = new Map<Trial, Failed>();
    let isWarm = false;
    for (const measure of plan.measures) {
      if (!isWarm && !measure.isCold && measure.models.length > 0) {
        isWarm = true;
        for (const trial of trials) {
          const warmed = await attempt(() => warmUp(trial, plan.scale), trial, children);
          if ('failure' in warmed) failed.set(trial, warmed);
        }
      }
      const able = trials.filter(({ subject }) => supports(measure, subject.name));
      for (const trial of rotated(able, plan.round)) {
        const about = { measure: measure.name, subject: trial.subject.name, round: plan.round };
        const done =
          failed.get(trial) ?? (await attempt(() => measure.run(trial), trial, children));
        report({ ...about, ...done });
      }
    }
  } finally {
    process.off('exit', clear);
    clear();
  }
}

export const supports = ({ subjects }: Measure, name: SubjectName): boolean =>
  subjects === undefined || subjects.includes(name);

/**
 * Sends requests for short answers and streams until the subject has compiled the code that handles
 * them.
 */
async function warmUp({ subject, target, model, load }: Trial, scale: number): Promise<Found> {
  const asks = [
    { ask: shortAsk(model(WARM_UP_MODEL)), count: WARM_UP_REQUESTS },
    { ask: streamAsk(model(WARM_UP_STREAM), WARM_UP_EVENTS), count: WARM_UP_STREAMS },
  ];
  for (const { ask, count } of asks) {
    await load({
      kind: 'closed-loop',
      target,
      ask,
      connections: WARM_UP_CALLERS,
      warmUpRequests: Math.max(WARM_UP_CALLERS, Math.round(count * scale)),
      warmUpMs: isPeer(subject.name) ? PEER_WARM_UP_MS * scale : null,
      measureMs: SHORTEST_WINDOW_MS,
    });
  }
  return {};
}

type Bench = {
  readonly mockPort: number;
  readonly load: Trial['load'];
  readonly ledger: Trial['ledger'];
};

async function startMock(children: Children, { pins, scale }: RoundPlan): Promise<Bench> {
  const mockPort = freePort();
  const argv = [process.execPath, MOCK_UPSTREAM, String(mockPort)];
  const mock = children.start({ name: 'mock-upstream', argv, core: pins.mock });
  await children.ready(mock, `http://127.0.0.1:${mockPort}/open-streams`);
  const command = { name: 'load', argv: [process.execPath, LOAD], core: pins.load };
  const load = async <P extends Plan>(plan: P): Promise<ResultOf<P>> =>
    JSON.parse(await children.answer(command, JSON.stringify(plan), LOAD_WITHIN_MS));
  const ledger: Trial['ledger'] = async (options) => {
    // With PostgreSQL, the benchmark and the server may use all cores. With SQLite, all threads of
    // the benchmark run on the subject's core.
    const core = options.includes('--postgres') ? null : pins.subject;
    const argv = [process.execPath, MAIN, 'ledger', ...options, '--scale', String(scale)];
    return JSON.parse(await children.answer({ name: 'ledger', argv, core }, '', LOAD_WITHIN_MS));
  };
  return { mockPort, load, ledger };
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
    ledger: bench.ledger,
    upstreamStreams: async () => {
      const answer = await fetch(`http://127.0.0.1:${bench.mockPort}/open-streams`, {
        signal: AbortSignal.timeout(LOAD_WITHIN_MS),
      });
      return Number(await answer.text());
    },
    scaledMs: (fullMs) => Math.max(SHORTEST_WINDOW_MS, Math.round(fullMs * scale)),
  };
}

type Failed = { readonly failure: string };

async function attempt(
  run: () => Promise<Found>,
  trial: Trial,
  children: Children,
): Promise<{ readonly found: Found } | Failed> {
  try {
    return { found: await run() };
  } catch (thrown) {
    const { child } = trial.subject;
    const end = child === null ? null : children.endOf(child);
    return { failure: end ?? (thrown instanceof Error ? thrown.message : String(thrown)) };
  }
}

/** Rotates the subjects, so that each round starts with a different subject. */
function rotated<Item>(items: readonly Item[], by: number): readonly Item[] {
  const from = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(from), ...items.slice(0, from)];
}
