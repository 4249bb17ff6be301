/** The setting `secrets`: the source of the keys under which stored secrets are encrypted. */
import * as z from 'zod';
import { secret, text } from '../values.ts';
import { built } from './on-demand.ts';

const SOURCES = ['key_file', 'key', 'key_command'] as const;

export const secretSettings = built(() =>
  z
    .strictObject({
      /**
       * A file with the keys; null means `secrets.key` in `data_dir`, which the first start
       * creates.
       */
      key_file: text().nullable().default(null),
      /** The keys themselves, usually from the environment. */
      key: secret().nullable().default(null),
      /**
       * A program with its arguments, run without a shell. It prints the keys on its standard
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
      const message = `replaces ${first}; remove one of the two`;
      context.issues.push({ code: 'custom', message, input: context.value, path: [second] });
    }),
);
