/** Opens the mail queue, the mailer and the sender. */
import type { Clock } from '../clock.ts';
import type { Brand } from '../config/brand/brand-schema.ts';
import type { MailSettings } from '../config/document/mail-settings.ts';
import type { Secret } from '../config/secret.ts';
import type { SqlExecutor } from '../store/sql.ts';
import { MailOutbox } from './mail-outbox.ts';
import { MailSender, type MailSenderDeps } from './mail-sender.ts';
import { Mailer } from './mailer.ts';
import { type MailServer, smtp } from './smtp.ts';

export type MailDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Clock;
  /** The console key, the same on every node. The key that encrypts letters is derived from it. */
  readonly secret: Secret;
  readonly settings: () => {
    readonly mail: MailSettings;
    readonly brand: Brand;
    readonly retention: { readonly mail: number };
  };
  readonly onFailure: MailSenderDeps['onFailure'];
};

export type Mail = ReturnType<typeof openMail>;

export function openMail({ sql, clock, secret, settings, onFailure }: MailDeps) {
  const outbox = new MailOutbox(sql, clock, secret, () => settings().retention.mail);
  /** Returns the current settings of the mail server; null while email is off. */
  const server = (): MailServer | null => {
    const { host, from, ...rest } = settings().mail;
    return host === null || from === null ? null : { ...rest, host, from };
  };
  const brand = () => settings().brand;
  const sender = new MailSender({
    outbox,
    clock,
    send: smtp(clock),
    server,
    fromName: () => brand().name,
    onFailure,
  });
  const isOn = (): boolean => server() !== null;
  const mailer = new Mailer({ outbox, isOn, brand, wake: () => sender.wake() });
  return { outbox, sender, mailer, server };
}
