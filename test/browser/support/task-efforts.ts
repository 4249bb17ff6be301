/**
 * For tests: the effort of each task, which is the measured number of actions. A test fails if a
 * task needs more than its `after` value.
 */
import type { Effort, TaskName } from './tasks.ts';

export const SCREENS = {
  phone: { width: 375, height: 812 },
  laptop: { width: 1280, height: 800 },
} as const;
export type Screen = keyof typeof SCREENS;

type Change = {
  /** The effort at commit 672b7a90, before a redesign; null if the task was not possible. */
  readonly before: Effort | null;
  readonly after: Effort;
};

const effort = (clicks: number, fields: number, scrolls: number): Effort => ({
  clicks,
  fields,
  scrolls,
});

export const EFFORTS: Readonly<Record<TaskName, Readonly<Record<Screen, Change>>>> = {
  key: {
    phone: { before: effort(5, 2, 0), after: effort(3, 2, 0) },
    laptop: { before: effort(4, 2, 0), after: effort(3, 2, 0) },
  },
  cost: {
    phone: { before: effort(3, 0, 3), after: effort(1, 0, 2) },
    laptop: { before: effort(2, 0, 1), after: effort(1, 0, 1) },
  },
  topUp: {
    phone: { before: effort(3, 1, 1), after: effort(2, 1, 1) },
    laptop: { before: effort(2, 1, 0), after: effort(2, 1, 0) },
  },
  compare: {
    phone: { before: effort(5, 0, 3), after: effort(4, 0, 1) },
    laptop: { before: effort(4, 0, 0), after: effort(3, 0, 0) },
  },
  refused: {
    phone: { before: null, after: effort(2, 1, 0) },
    laptop: { before: null, after: effort(2, 1, 0) },
  },
};
