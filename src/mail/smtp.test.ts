/** Tests the encryption of connections to mail servers. */
import { expect, test } from 'bun:test';
import { systemClock } from '../clock.ts';
import { Secret } from '../config/secret.ts';
import { type Encryption, TestMailServer } from './mail-server.fixture.ts';
import { MailRefused, type MailServer, smtp } from './smtp.ts';

/** Sends a letter to a server with this encryption. Returns the text of the error. */
async function refusal(of: Encryption, tls: MailServer['tls']): Promise<string> {
  const mailServer = await TestMailServer.open(of);
  const server: MailServer = {
    ...{ host: '127.0.0.1', port: mailServer.port, tls },
    ...{ user: 'gateway', password: new Secret('secret of mail') },
    ...{ from: 'gateway@example.com', reply_to: null },
  };
  const letter = { subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };
  const delivery = { id: 'mail_1', to: 'ada@example.com', letter, fromName: 'Modelgate' };
  const outcome = await smtp(systemClock)(server, delivery, new AbortController().signal).catch(
    (thrown: unknown) => thrown,
  );
  const { received } = mailServer;
  await mailServer.close();
  expect(received).toEqual([]);
  if (!(outcome instanceof MailRefused)) throw new Error(`not refused: ${outcome}`);
  expect(outcome.isFinal).toBe(false);
  return outcome.message;
}

test.each(['implicit', 'starttls'] as const)(
  'refuses a self-signed certificate with tls: %s',
  async (tls) => {
    const words = await refusal(tls, tls);
    expect(words).toStartWith('The certificate of the mail server is not valid: self');
  },
);

test('sends nothing to a server that offers no STARTTLS', async () => {
  expect(await refusal('none', 'starttls')).toStartWith(
    'The mail server does not encrypt with STARTTLS: ',
  );
});

test('says that a server with STARTTLS does not speak TLS from the start', async () => {
  expect(await refusal('starttls', 'implicit')).toStartWith(
    'The mail server does not speak TLS from the start; `tls: starttls` may be right: ',
  );
});
