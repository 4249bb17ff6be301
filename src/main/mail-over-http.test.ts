/** Tests e-mail over HTTP, with a mail server on the loopback interface. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { runCli } from '../cli/cli.ts';
import { systemClock } from '../clock.ts';
import { Secret } from '../config/secret.ts';
import { plainTextOf, TestMailServer } from '../mail/mail-server.fixture.ts';
import { setUp, Visit } from './console.fixture.ts';
import {
  ADMIN_TOKEN,
  configFor,
  newFolder,
  openGatewayOn,
  openTestGateway,
  removeFolders,
} from './gateway.fixture.ts';
import type { Gateway } from './gateway.ts';

/** The timeout is long because the tests start complete gateways and hash real passwords. */
setDefaultTimeout(60_000);

let mailServer: TestMailServer;
let gateway: Gateway;
let admin: Visit;

beforeAll(async () => {
  mailServer = await TestMailServer.open();
  const config = configFor(newFolder(), { MODELGATE_ADMIN_TOKEN: ADMIN_TOKEN });
  const { port } = mailServer;
  const from = 'gateway@example.com';
  const mail = { ...config.mail, host: '127.0.0.1', port, tls: 'none', from } as const;
  const console = { ...config.console, sign_up: 'open' } as const;
  gateway = await openGatewayOn({ ...config, mail, console });
  admin = await setUp(gateway);
});
afterAll(async () => {
  await gateway.close();
  await mailServer.close();
  removeFolders();
});

async function cli(...argv: string[]) {
  let out = '';
  const write = (text: string): void => {
    out += text;
  };
  const notHere = () => Promise.reject(new Error('not a command of these tests'));
  const exit = await runCli(
    argv,
    { stdout: write, stderr: write },
    {
      clock: systemClock,
      version: '1.2.3',
      fetch: async (request) => await gateway.edge.fetch(request),
      settings: async () => ({
        baseUrl: 'http://gateway',
        dataDir: '',
        adminToken: new Secret(ADMIN_TOKEN),
      }),
      ...{ serve: notHere, check: notHere, doctor: notHere, migrate: notHere },
    },
  );
  return { exit, out };
}

describe('a test e-mail', () => {
  test('is sent at once, in the chosen language, and is in the delivery log', async () => {
    const to = 'Test@example.com';
    const sent = await admin.send('POST /admin/v1/mail/test', { to, language: 'zh' });
    expect([sent.status, sent.body]).toMatchObject([
      200,
      { kind: 'test', to: 'test@example.com', state: 'sent', attempts: 1 },
    ]);
    const letter = await mailServer.letterTo('test@example.com');
    expect(plainTextOf(letter)).toContain('这是一封测试邮件');
    const log = await admin.send('GET /admin/v1/mail?state=sent');
    expect(log.body.data[0]).toEqual(sent.body);
    const status = await admin.send('GET /admin/v1/mail/status');
    expect(status.body).toMatchObject({ on: true, host: '127.0.0.1', queued: 0, failed: 0 });
    const audit = await admin.send('GET /admin/v1/audit?action=mail.test');
    expect(audit.body.data[0]).toMatchObject({ subject: sent.body.id });
  });

  test("reports the mail server's refusal, also on the command line", async () => {
    expect(await cli('mail', 'test', 'ops@example.com')).toMatchObject({ exit: 0 });
    mailServer.behavior = { code: 554, words: 'the sender is blocked' };
    const refused = await cli('mail', 'test', 'ops@example.com');
    mailServer.behavior = 'accept';
    expect([refused.exit, refused.out]).toEqual([
      1,
      expect.stringContaining('the sender is blocked'),
    ]);
    const listed = await cli('mail', 'list', '--state', 'failed');
    expect(listed.out).toContain('ops@example.com');
  });

  test('is refused for an invalid address, and while e-mail is off', async () => {
    const invalid = await admin.send('POST /admin/v1/mail/test', { to: 'a@b\r\nBcc: c@d' });
    expect([invalid.status, invalid.body.error.param]).toEqual([400, 'email']);
    const other = await openTestGateway(newFolder());
    const token = { authorization: `Bearer ${ADMIN_TOKEN}` };
    const to = 'ops@example.com';
    const off = await new Visit(other).send('POST /admin/v1/mail/test', { to }, token);
    expect([off.status, off.body.error.code]).toEqual([409, 'conflict']);
    await other.close();
  });
});
