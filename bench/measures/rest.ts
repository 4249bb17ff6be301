import type { Measure } from './measure.ts';

export const rest: Measure = {
  name: 'rest',
  question: 'How long does a start take, and how much memory is used before the first request?',
  sketch:
    'The runtime starts in 30 ms and takes 27 MB. Loading the code takes 100 to 300 ms and 20 MB. ' +
    'Creating the tables of a new SQLite file takes 100 ms.',
  models: [],
  figures: [
    { key: 'readyMs', label: 'start until ready', unit: 'ms', better: 'lower' },
    { key: 'rssMb', label: 'memory at rest', unit: 'MB', better: 'lower', of: 'memory' },
  ],
  subjects: ['bare-relay', 'modelgate', 'base', 'portkey', 'litellm'],
  run: async ({ subject }) => ({ readyMs: subject.readyMs, rssMb: subject.restRssMb }),
};
