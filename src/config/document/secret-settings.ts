/** The setting `secrets`: the source of the keys that encrypt the stored secrets. */
import * as z from 'zod';
import { secret, text } from '../values.ts';
import { built } from './on-demand.ts';

const SOURCES = ['key_file', 'key', 'key_command'] as const;

export const secretSettings = built(() =>
  z
    .strictObject({
      /**
       * The path of a file with the keys. Null means the file `secrets.key` in `data_dir`, which is
       * created at the first start.
       */
      key_file: text().nullable().default(null),
      /** The keys themselves, usually from the environment. */
      key: secret().nullable().default(null),
      /**
       * A program and its arguments. It is run without a shell, and prints the keys to standard
       * output.
       */
      key_command: z
        .array(text())
        .min(1, 'write a program and its arguments')
        .nullable()
        .default(null),
    })
    .check((context) => {
      const given = SOURCES.filter((name) => context.value[name] !== null);
      const [first, second] = given;
      if (second === undefined) return;
      const message = `cannot be combined with ${first}; remove one of the two`;
      context.issues.push({ code: 'custom', message, input: context.value, path: [second] });
    }),
);
