/**
 * The commands `secrets list|set|delete|rotate`. The value of a secret is read from standard input
 * or a file.
 */
import type { z } from 'zod';
import {
  DELETED,
  ROTATED,
  SECRET_ENTRY,
  SECRETS,
} from '../http/admin/secrets/admin-secret-routes.ts';
import { type Command, contentsOf, printAnswer } from './command.ts';
import { table } from './lists.ts';

type Entry = z.infer<typeof SECRET_ENTRY>;

const pathOf = (name: string): string => `/secrets/${encodeURIComponent(name)}`;

export const SECRET_COMMANDS: readonly Command[] = [
  {
    words: 'secrets list',
    summary: 'list stored secrets and the settings that use them, without values',
    run: (context) =>
      printAnswer(context, { method: 'GET', path: '/secrets' }, SECRETS, ({ data }) =>
        data.length === 0
          ? 'There are no secrets. `modelgate secrets set NAME` stores one.'
          : listText(data),
      ),
  },
  {
    words: 'secrets set',
    summary: 'store a secret from standard input or a file; an earlier value is replaced',
    args: ['NAME'],
    options: { 'from-file FILE': 'read the value from this file' },
    run: async (context, input) => {
      const file = input.text('from-file');
      const text = file === null ? await Bun.stdin.text() : await contentsOf(file);
      // Removes the line break that editors and `echo` add.
      const body = { value: text.replace(/\r?\n$/, '') };
      const call = { method: 'PUT', path: pathOf(input.arg(0)), body } as const;
      return await printAnswer(context, call, SECRET_ENTRY.loose(), setText);
    },
  },
  {
    words: 'secrets delete',
    summary: 'delete a secret that no setting uses',
    args: ['NAME'],
    run: (context, input) =>
      printAnswer(
        context,
        { method: 'DELETE', path: pathOf(input.arg(0)) },
        DELETED,
        ({ name }) => `The secret ${name} is deleted.`,
      ),
  },
  {
    words: 'secrets rotate',
    summary: 'encrypt all secrets under the first key of the `secrets` setting',
    run: (context) =>
      printAnswer(context, { method: 'POST', path: '/secrets/rotate' }, ROTATED, rotatedText),
  },
];

const listText = (data: readonly Entry[]): string =>
  [
    table(
      ['name', 'state', 'ends with', 'set at', 'set by', 'used by'],
      data.map((it) => [
        it.name,
        it.state,
        it.last_four ?? '-',
        it.set_at ?? '-',
        it.set_by_name ?? it.set_by ?? '-',
        it.used_by.join(', ') || '-',
      ]),
    ),
    ...data.flatMap(({ problem }) => (problem === null ? [] : [`Problem: ${problem}`])),
  ].join('\n');

const setText = ({ name, last_four: lastFour, problem }: Entry): string => {
  const ending = lastFour === null ? '' : `, which ends with ${lastFour},`;
  const stored = `The secret ${name}${ending} is stored.`;
  return problem === null ? stored : `${stored}\nProblem: ${problem}`;
};

function rotatedText({ rotated, current, unreadable, key_id: key }: z.infer<typeof ROTATED>) {
  const lines = [
    `${rotated.length} secrets were encrypted under the key ${key}; ${current.length} already were.`,
  ];
  if (unreadable.length > 0)
    lines.push(
      `No encryption key decrypts these secrets; set them again: ${unreadable.join(', ')}.`,
    );
  return lines.join('\n');
}
