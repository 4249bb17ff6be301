/** The setting `mail`: the server that sends email. Without a host, no email is sent. */
import * as z from 'zod';
import { isPrivateHost } from '../address.ts';
import { count, secret, text } from '../values.ts';
import { built } from './on-demand.ts';

const HOST = /^(?:[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?|[0-9a-fA-F:]+)$/;
const host = built(() =>
  z.string().regex(HOST, 'write a host name or an address, such as smtp.example.com'),
);
const address = built(() => z.email('write an email address, such as gateway@example.com'));

export const mailSettings = built(() =>
  z
    .strictObject({
      host: host().nullable().default(null),
      port: count(1, 65_535).default(587),
      /** How the connection is encrypted. With `none`, the server needs no valid certificate. */
      tls: z.enum(['starttls', 'implicit', 'none']).default('starttls'),
      user: text().nullable().default(null),
      password: secret().nullable().default(null),
      /**
       * The sender's address of emails. Email programs show it together with the name of the brand.
       */
      from: address().nullable().default(null),
      reply_to: address().nullable().default(null),
    })
    .check((context) => {
      const { host, tls, user, password, from } = context.value;
      if (host === null) return;
      const add = (key: string, message: string): void => {
        context.issues.push({ code: 'custom', message, input: context.value, path: [key] });
      };
      if (from === null) add('from', 'is missing: email needs a sender');
      if (user !== null && password === null)
        add('password', 'is missing: `user` is set and needs a password');
      if (user === null && password !== null)
        add('user', 'is missing: `password` is set and needs a user');
      if (tls === 'none' && password !== null && !isPrivateHost(host)) {
        add('tls', 'would send the password unencrypted; write starttls or implicit');
      }
    }),
);

export type MailSettings = Readonly<z.output<ReturnType<typeof mailSettings>>>;
