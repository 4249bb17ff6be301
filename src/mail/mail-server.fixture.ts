/** A mail server on the loopback interface. Tests set its behavior. */
import { SMTPServer } from 'smtp-server';
import { CERTIFICATE, KEY } from '../upstreams/certificate.fixture.ts';

export type ReceivedMail = { readonly to: string; readonly text: string };
/**
 * The server's reaction to an email: it accepts the email, refuses it with a code, or never
 * answers.
 */
export type Behavior = 'accept' | 'hang' | { readonly code: number; readonly words: string };

/** How connections are encrypted. The certificate is always self-signed. */
export type Encryption = 'none' | 'starttls' | 'implicit';

export class TestMailServer {
  readonly received: ReceivedMail[] = [];
  behavior: Behavior = 'accept';
  readonly #server: SMTPServer;
  #waiting: (() => void)[] = [];
  readonly #reached = Promise.withResolvers<void>();

  private constructor(encryption: Encryption) {
    this.#server = new SMTPServer({
      authOptional: true,
      closeTimeout: 100,
      secure: encryption === 'implicit',
      disabledCommands: encryption === 'starttls' ? [] : ['STARTTLS'],
      key: KEY,
      cert: CERTIFICATE,
      onAuth: ({ username, password }, _session, done) => {
        if (username === 'gateway' && password === 'secret of mail') done(null, { user: username });
        else done(new Error('no such user'));
      },
      onRcptTo: (_address, _session, done) => {
        if (this.behavior === 'hang') return this.#reached.resolve();
        if (this.behavior === 'accept') return done();
        const { code, words } = this.behavior;
        done(Object.assign(new Error(words), { responseCode: code }));
      },
      onData: (stream, session, done) => {
        const parts: Buffer[] = [];
        stream.on('data', (part: Buffer) => parts.push(part));
        stream.on('end', () => {
          const [to] = session.envelope.rcptTo;
          this.received.push({ to: to?.address ?? '', text: Buffer.concat(parts).toString() });
          done();
          for (const wake of this.#waiting.splice(0)) wake();
        });
      },
    });
    // Connection errors are ignored, because some tests close connections early.
    this.#server.on('error', () => undefined);
  }

  static async open(encryption: Encryption = 'none'): Promise<TestMailServer> {
    const opened = new TestMailServer(encryption);
    await new Promise<void>((ready) => opened.#server.listen(0, '127.0.0.1', ready));
    return opened;
  }

  get port(): number {
    const address = this.#server.server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** Resolves when the server has received an email that it never answers. */
  get hanging(): Promise<void> {
    return this.#reached.promise;
  }

  /** Resolves with the first email to this address. */
  async letterTo(to: string): Promise<ReceivedMail> {
    for (;;) {
      const found = this.received.find((mail) => mail.to === to);
      if (found !== undefined) return found;
      await new Promise<void>((wake) => this.#waiting.push(wake));
    }
  }

  async close(): Promise<void> {
    await new Promise<void>((done) => {
      this.#server.close(() => done());
    });
  }
}

/** Returns the decoded plain text of a received email. */
export function plainTextOf({ text }: ReceivedMail): string {
  const [, part = ''] = text.split(/^--+_NmP.*$/m);
  const [head = '', ...body] = part.trimStart().split('\r\n\r\n');
  const encoded = body.join('\r\n\r\n');
  if (head.includes('base64')) return Buffer.from(encoded, 'base64').toString();
  const bytes = encoded
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
