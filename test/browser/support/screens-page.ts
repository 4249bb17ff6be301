/** For screenshots: renders the page `docs/screens/README.md`, with notes about some scenes. */
import { SCENES } from './scenes.ts';
import { EFFORTS } from './task-efforts.ts';
import { type Effort, TASKS } from './tasks.ts';

type Note = {
  /** The part of the screen that a person notices first. */
  readonly first: string;
  readonly purpose: string;
  /** The parts that were removed from the screen in its redesign. */
  readonly removed: string;
};

const NOTES: Readonly<Record<string, Note>> = {
  'sign-in': {
    first: 'the email field, which has the focus.',
    purpose: 'signing in; and showing strangers what the product is, its prices, status and API.',
    removed: 'the lonely card in an empty window.',
  },
  overview: {
    first: 'the balance, the only large figure, and how many days it lasts.',
    purpose: 'seeing in a few seconds whether money, spend or failures need attention.',
    removed: 'the sentence below the title, and the second row of cards of equal weight.',
  },
  keys: {
    first: 'the names and, beside them, the spend with a bar where there is a limit.',
    purpose: 'creating, limiting and stopping keys.',
    removed: 'badges, and half of the height of a row.',
  },
  playground: {
    first: 'the answer; the cost stands in bold below it.',
    purpose: 'trying a model with its exact cost.',
    removed: 'the wall of parameters: only what differs from the defaults is shown.',
  },
  model: {
    first: 'the name, then the prices of the channels, one below the other.',
    purpose: 'choosing a channel by price, health and speed.',
    removed: 'the card for each channel, and sideways scrolling on a phone.',
  },
  compare: {
    first: 'the green dots, each at the best value of a row.',
    purpose: 'choosing between models by price, speed and abilities.',
    removed: 'on request, each row in which all models are equal.',
  },
  usage: {
    first: 'the spend of the range, then its days by model.',
    purpose: 'finding out which model, key or day the money went to.',
    removed: 'a second set of colors: a model has one color on all three charts.',
  },
  requests: {
    first: 'the bars over time, with failures in red, then the newest rows.',
    purpose: 'finding one request among many.',
    removed: 'a filter that repeated another one, badges, and all colors of successful requests.',
  },
  request: {
    first: 'the lines of the receipt, down to the charge in bold.',
    purpose: 'explaining what one request cost, to the last digit.',
    removed: 'tooltips, because nothing is rounded; on a phone, the four columns.',
  },
  billing: {
    first: 'what each wallet can spend.',
    purpose: 'seeing the balance, adding money, and checking that it arrived.',
    removed: 'lines that are zero, and a second row of cards.',
  },
  statements: {
    first: 'the months, and the closing balance at the right edge.',
    purpose: 'reconciling the account: the columns add up exactly.',
    removed: 'the single requests, to which each month links.',
  },
  'admin-ledger': {
    first: 'the revenue since the first day, then the bars of twelve months.',
    purpose: 'knowing what is earned and lost, and that every sum is right.',
    removed: 'sums that were shown twice, in cards and above the bars.',
  },
};

const INTRODUCTION = `# The console, screen by screen

\`npm run console:screens\` takes these pictures on a gateway with weeks of data. A sheet shows a screen at widths of 375,
768, 1280 and 1920 px: English light, English dark, Chinese light, Chinese dark. \`npm run console:screens -- keys --to DIR\` writes the pictures
of a sheet in full size.

A note names what a person notices first, the purpose of the screen, and what its redesign removed.
`;

const TASKS_HEAD = `## Five tasks

Each task starts on the overview. A cell counts clicks / typed fields / scrolls: scrolled window heights, plus one for
each part that is cut off at a side. \`test/browser/tasks.test.ts\` fails if a task needs more. Before: commit 672b7a90.

| Task | Phone, before | Phone | Laptop, before | Laptop |
|---|---|---|---|---|`;

const effortText = (effort: Effort | null): string =>
  effort === null ? 'not possible' : `${effort.clicks} / ${effort.fields} / ${effort.scrolls}`;

const taskRows = (): readonly string[] =>
  TASKS.map(({ name, title }) => {
    const { phone, laptop } = EFFORTS[name];
    const cells = [phone.before, phone.after, laptop.before, laptop.after].map(effortText);
    return `| ${[title, ...cells].join(' | ')} |`;
  });

const noteOf = (name: string): readonly string[] => {
  const note = NOTES[name];
  if (note === undefined) return [];
  const { first, purpose, removed } = note;
  return [`- First: ${first}`, `- For: ${purpose}`, `- Removed: ${removed}`, ''];
};

/** Returns the text of the page with all scenes, in their order. */
export const screensPage = (): string =>
  [
    INTRODUCTION,
    TASKS_HEAD,
    ...taskRows(),
    '',
    ...SCENES.flatMap(({ name, title }) => [
      `## ${title}`,
      '',
      ...noteOf(name),
      '| Light | Dark | All |',
      '|---|---|---|',
      `| ![${title}](${name}-light.webp) | ![${title}, dark](${name}-dark.webp) ` +
        `| [![${title}, all](${name}-sheet.webp)](${name}-sheet.webp) |`,
      '',
    ]),
  ].join('\n');
