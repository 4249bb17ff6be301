/** The console's figures on a phone: their history, and their section of the report. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PageFigures } from './measure-page.ts';
import type { StepFigures } from './measure-tasks.ts';

const FILE = join(import.meta.dir, 'history.json');
const TITLE = '## The console on a phone';
/** The heading in the report that comes right after the section about phones. */
const NEXT = '## Method';

export type PhoneEntry = {
  readonly commit: string;
  readonly date: string;
  readonly pages: Readonly<Record<string, PageFigures>>;
  /** The CPU time of the longest task of each step; absent in the oldest entry. */
  readonly steps?: StepFigures;
};
export type PhoneHistory = readonly PhoneEntry[];

export const readPhoneHistory = (): PhoneHistory =>
  existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : [];

export const writePhoneHistory = (history: PhoneHistory): void =>
  writeFileSync(FILE, `${JSON.stringify(history, null, 2)}\n`);

/**
 * Returns a history with at most two entries: the first one, as the basis of comparison, and the
 * new one.
 */
export const withPhoneEntry = (history: PhoneHistory, entry: PhoneEntry): PhoneHistory => [
  ...history.slice(0, 1),
  entry,
];

const COLUMNS = [
  ['FCP, ms', ({ fcpMs }) => String(fcpMs)],
  ['LCP, ms', ({ lcpMs }) => String(lcpMs)],
  ['INP, ms', ({ inpMs }) => String(inpMs)],
  ['CLS', ({ cls }) => String(cls)],
  ['CPU, ms', ({ cpuMs }) => String(cpuMs)],
  ['kB', ({ bytes }) => String(Math.round(bytes / 1000))],
  ['requests', ({ requests }) => String(requests)],
] as const satisfies readonly (readonly [string, (figures: PageFigures) => string])[];

/** Renders the report's section about phones, with the first and the newest commit side by side. */
export function renderPhone(history: PhoneHistory): string {
  const [first] = history;
  const newest = history.at(-1);
  if (first === undefined || newest === undefined) return '';
  const rows = Object.entries(newest.pages).map(([name, figures]) => {
    const before = first.pages[name];
    const cells = COLUMNS.map(([, shown]) =>
      first === newest || before === undefined
        ? shown(figures)
        : `${shown(before)} → ${shown(figures)}`,
    );
    return `| ${[name, ...cells].join(' | ')} |`;
  });
  return [
    TITLE,
    `A first visit with an empty cache at 375 x 812 px, with Chrome's preset "Fast 3G" (1.44 Mbit/s down, ` +
      '562.5 ms for each request) and four times slower CPU. First contentful paint (FCP), largest ' +
      'contentful paint (LCP), the delay of one interaction (INP) and layout shift (CLS). CPU is the time of ' +
      'the page in a visit without slowdown. kB and requests are all that the page loads until it is ' +
      `complete. Medians; ${first.commit} (${first.date}) → ${newest.commit} (${newest.date}). ` +
      '`npm run bench:console -- --write` measures again.',
    [
      `| Page | ${COLUMNS.map(([title]) => title).join(' | ')} |`,
      `|---|${COLUMNS.map(() => '---').join('|')}|`,
      ...rows,
    ].join('\n'),
    'The longest task on the main thread of each step, in milliseconds of CPU, without slowdown, with 100,000 ' +
      'requests and 994 keys. The aim is 100.',
    [
      '| Step | longest task, ms |',
      '|---|---|',
      ...Object.entries(newest.steps ?? {}).map(([name, ms]) => `| ${name} | ${ms} |`),
    ].join('\n'),
  ].join('\n\n');
}

/**
 * Returns the report with a new section about phones. If the report has no such section, the
 * section is added before `NEXT`.
 */
export function writtenInto(report: string, history: PhoneHistory): string {
  const end = report.indexOf(NEXT);
  const start = report.indexOf(TITLE);
  if (end < 0) throw new Error(`the report has no heading "${NEXT}"`);
  return `${report.slice(0, start < 0 ? end : start)}${renderPhone(history)}\n\n${report.slice(end)}`;
}
