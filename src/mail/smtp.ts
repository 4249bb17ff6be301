/** Sends letters to the mail server. The SMTP library is loaded when the first letter is sent. */
import { connect, type Socket } from 'node:net';
import type { Clock } from '../clock.ts';
import type { MailSettings } from '../config/document/mail-settings.ts';
import type { LetterText } from './letter.ts';

/** How long the server may stay silent, before its first answer and between answers. */
const SILENCE_MS = 12_000;
/**
 * The timeout of sending one letter. It also stops a server that avoids `SILENCE_MS` by sending its
 * answer byte by byte.
 */
export const DEADLINE_MS = 20_000;

export type MailServer = MailSettings & { readonly host: string; readonly from: string };

export type Delivery = {
  /** The id of the letter, by which a receiver detects a letter that was sent twice. */
  readonly id: string;
  readonly to: string;
  readonly letter: LetterText;
  /** The display name of the sender. */
  readonly fromName: string;
};

/**
 * The error when a letter could not be sent. `isFinal` means that the server refused the letter
 * itself, so a retry would fail too.
 */
export class MailRefused extends Error {
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean, cause: unknown) {
    super(message, { cause });
    this.name = 'MailRefused';
    this.isFinal = isFinal;
  }
}

export type SendMail = (
  server: MailServer,
  delivery: Delivery,
  signal: AbortSignal,
) => Promise<string>;

/** Returns a function that sends a letter and resolves with the server's answer. */
export const smtp =
  (clock: Pick<Clock, 'after'>): SendMail =>
  async (server, delivery, signal) => {
    const deadline = new AbortController();
    const timer = clock.after(DEADLINE_MS, () => deadline.abort());
    const ended = AbortSignal.any([deadline.signal, signal]);
    try {
      return await send(server, delivery, ended);
    } catch (thrown) {
      if (deadline.signal.aborted) {
        const text = `The mail server did not complete the delivery within ${DEADLINE_MS / 1000} s.`;
        throw new MailRefused(text, false, thrown);
      }
      throw refusalOf(thrown, server.tls);
    } finally {
      timer.cancel();
    }
  };

async function send(server: MailServer, delivery: Delivery, ended: AbortSignal): Promise<string> {
  const { createTransport } = await import('nodemailer');
  const { host, port, tls, user, password, from, reply_to: replyTo } = server;
  let socket: Socket | null = null;
  const transport = createTransport({
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    ...(user === null || password === null ? {} : { auth: { user, pass: password.reveal() } }),
    greetingTimeout: SILENCE_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    // The gateway opens the socket, not the library, so that the deadline can close it in any
    // state.
    getSocket: (_options, done) => {
      const opened = connect({ host, port });
      socket = opened;
      const fail = (cause: Error): void => {
        opened.destroy();
        done(cause, false);
      };
      opened.once('error', fail);
      opened.once('connect', () => {
        opened.removeListener('error', fail);
        done(null, { connection: opened });
      });
    },
  });
  const end = Promise.withResolvers<never>();
  const abort = (): void => {
    socket?.destroy();
    end.reject(ended.reason);
  };
  if (ended.aborted) abort();
  ended.addEventListener('abort', abort, { once: true });
  const { id, to, letter, fromName } = delivery;
  try {
    const work = transport.sendMail({
      from: { name: fromName, address: from },
      to: { name: '', address: to },
      ...(replyTo === null ? {} : { replyTo }),
      messageId: `<${id}@${from.slice(from.indexOf('@') + 1)}>`,
      // Prevents automatic replies, such as vacation notices (RFC 3834).
      headers: { 'Auto-Submitted': 'auto-generated' },
      ...letter,
    });
    const { response } = await Promise.race([work, end.promise]);
    return response;
  } finally {
    ended.removeEventListener('abort', abort);
    transport.close();
  }
}

/** Returns an error with the server's answer. It never contains the password. */
function refusalOf(thrown: unknown, tls: MailServer['tls']): MailRefused {
  const { response, responseCode, code, message } = Object(thrown);
  const said = typeof response === 'string' && response !== '' ? response : String(message);
  const words = `${explanation(String(code), said, tls)}${said}`;
  const isFinal = Number(responseCode) >= 500 && ['EENVELOPE', 'EMESSAGE'].includes(String(code));
  return new MailRefused(words, isFinal, thrown);
}

/** Returns the explanation of a TLS failure for the operator; empty for other failures. */
function explanation(code: string, words: string, tls: MailServer['tls']): string {
  if (/\bcertificate\b|\baltnames\b/i.test(words))
    return 'The certificate of the mail server is not valid: ';
  if (tls === 'implicit' && words.includes('WRONG_VERSION_NUMBER'))
    return 'The mail server does not speak TLS from the start; `tls: starttls` may be right: ';
  // A server that expects TLS from the start says nothing until the client does.
  if (tls === 'starttls' && words === 'Timeout')
    return 'The mail server does not answer; on port 465 it needs `tls: implicit`: ';
  return code === 'ETLS' ? 'The mail server does not encrypt with STARTTLS: ' : '';
}
