/** Tests email over HTTP, with a mail server on the loopback interface. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { runCli } from '../cli/cli.ts';
import { systemClock } from '../clock.ts';
import { Secret } from '../config/secret.ts';
import { plainTextOf, TestMailServer } from '../mail/mail-server.fixture.ts';
import { MAX_MAILED_RESETS } from '../people/members.ts';
import { PASSWORD, tokenOf } from '../people/people.fixture.ts';
import { emailOf, setUp, Visit } from './console.fixture.ts';
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
setDefaultTimeout(180_000);

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
      ...{ serve: notHere, check: notHere, doctor: notHere, migrate: notHere, restore: notHere },
    },
  );
  return { exit, out };
}

describe('a test email', () => {
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

  test('is sent again after it failed, once', async () => {
    mailServer.behavior = { code: 550, words: 'mailbox full' };
    const email = 'full@example.com';
    await admin.send('POST /console/api/invitations', { role: 'member', email });
    const failedOnes = async () => (await admin.send('GET /admin/v1/mail?state=failed')).body.data;
    const isThere = (mail: { to: string }): boolean => mail.to === email;
    while (!(await failedOnes()).some(isThere)) await Bun.sleep(20);
    const failed = (await failedOnes()).find(isThere);
    expect(failed).toMatchObject({ attempts: 1, resendable: true });
    const resend = () => admin.send(`POST /admin/v1/mail/${failed.id}/resend`, {});
    const again = (await resend()).body;
    expect(again).toMatchObject({ state: 'failed', attempts: 2, resendable: true });
    mailServer.behavior = 'accept';
    const sent = await resend();
    expect([sent.status, sent.body]).toMatchObject([
      200,
      { state: 'sent', attempts: 3, resendable: false },
    ]);
    expect(plainTextOf(await mailServer.letterTo(email))).toContain('#token=');
    const twice = await resend();
    expect([twice.status, twice.body.error.code]).toEqual([409, 'conflict']);
    expect((await admin.send('POST /admin/v1/mail/mail_none/resend', {})).status).toBe(404);
    const audit = await admin.send('GET /admin/v1/audit?action=mail.resend');
    expect(audit.body.data[0]).toMatchObject({ subject: failed.id });
  });

  test('is refused for an invalid address, and while email is off', async () => {
    const invalid = await admin.send('POST /admin/v1/mail/test', { to: 'a@b\r\nBcc: c@d' });
    expect([invalid.status, invalid.body.error.param]).toEqual([400, 'to']);
    const other = await openTestGateway(newFolder());
    const token = { authorization: `Bearer ${ADMIN_TOKEN}` };
    const to = 'ops@example.com';
    const off = await new Visit(other).send('POST /admin/v1/mail/test', { to }, token);
    expect([off.status, off.body.error.code]).toEqual([409, 'conflict']);
    await other.close();
  });
});

/** Returns the token of the link in the email to this address. */
const tokenIn = async (to: string): Promise<string> =>
  tokenOf(
    /https?:\/\/\S+#token=[\w-]+/.exec(plainTextOf(await mailServer.letterTo(to)))?.[0] ?? '',
  );

describe('people', () => {
  test('are invited by email, and the link is still shown', async () => {
    const email = 'bo@example.com';
    const invited = await admin.send('POST /console/api/invitations', { role: 'member', email });
    expect([invited.status, invited.body.emailed_to]).toEqual([201, email]);
    expect(await tokenIn(email)).toBe(tokenOf(invited.body.url));
    const open = await admin.send('POST /console/api/invitations', { role: 'member' });
    expect(open.body.emailed_to).toBeNull();
  });

  test('reset a forgotten password, and a stranger learns nothing', async () => {
    const email = emailOf('administrator');
    const visit = new Visit(gateway);
    const known = await visit.send('POST /console/api/password-reset/mail', { email });
    const nobody = { email: 'nobody@example.com' };
    const unknown = await visit.send('POST /console/api/password-reset/mail', nobody);
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
    const token = await tokenIn(email);
    const password = 'twelve orange bicycles';
    const reset = await visit.send('POST /console/api/password-reset', { token, password });
    expect([reset.status, reset.body.person.email]).toEqual([200, email]);
    const back = await visit.send('POST /console/api/password-reset', {
      token,
      password: PASSWORD,
    });
    expect(back.body.error.code).toBe('link_not_valid');
    expect((await admin.signIn(email, password)).status).toBe(200);
    const log = await admin.send('GET /admin/v1/mail');
    expect(JSON.stringify(log.body)).not.toContain(token);
    expect(log.body.data.map(({ to }: { to: string }) => to)).not.toContain(nobody.email);
  });

  test('sign up with a confirmed address only', async () => {
    const email = 'new@example.com';
    const visit = new Visit(gateway);
    const newcomer = { email, name: 'New', password: PASSWORD };
    const direct = await visit.send('POST /console/api/sign-up', newcomer);
    expect([direct.status, direct.body.error.code]).toEqual([403, 'not_allowed']);
    const zh = { 'accept-language': 'zh-CN,zh;q=0.9,en;q=0.8' };
    await visit.send('POST /console/api/sign-up/mail', { email }, zh);
    const token = await tokenIn(email);
    const link = await visit.send('POST /console/api/link', { token });
    expect(link.body).toMatchObject({ kind: 'invitation', email, account_name: null });
    const named = { ...newcomer, token, account_name: 'New Ltd' };
    const joined = await visit.send('POST /console/api/sign-up', named, zh);
    expect([joined.status, joined.body.person.account.name]).toEqual([201, 'New Ltd']);
    const other = new Visit(gateway);
    mailServer.received.length = 0;
    await other.send('POST /console/api/sign-up/mail', { email });
    expect(plainTextOf(await mailServer.letterTo(email))).toContain('该地址已有账户');
  });

  test('get a receipt of a top-up, once, in their language', async () => {
    const email = 'new@example.com';
    const visit = new Visit(gateway);
    await visit.signIn(email);
    const batch = { count: 1, amount: '20', currency: 'USD', reason: 'a test' };
    const made = await admin.send('POST /admin/v1/redeem-batches', batch);
    const [code] = made.body.codes;
    mailServer.received.length = 0;
    expect((await visit.send('POST /console/api/redeem', { code })).status).toBe(201);
    const letter = plainTextOf(await mailServer.letterTo(email));
    expect(letter).toContain('账户“New Ltd”的余额已增加 20.00 USD。');
    await visit.send('POST /console/api/redeem', { code });
    const log = await admin.send('GET /admin/v1/mail');
    const kinds = log.body.data.map(({ kind }: { kind: string }) => kind);
    expect(kinds.filter((kind: string) => kind === 'receipt')).toHaveLength(1);
  });

  test('read the alerts of their account, and choose whether they get them by email', async () => {
    const visit = new Visit(gateway);
    await visit.signIn('new@example.com');
    expect((await visit.send('GET /console/api/alerts/log')).body).toEqual({ data: [] });
    const tested = await visit.send('POST /console/api/alerts/test', {});
    expect(tested.body).toEqual({ to: 'new@example.com', state: 'sent' });
    const preference = { language: 'en', alerts: false };
    expect((await visit.send('PUT /console/api/profile/mail', preference)).status).toBe(200);
    expect((await visit.send('GET /console/api/profile/mail')).body).toEqual({
      ...preference,
      on: true,
    });
    mailServer.received.length = 0;
    const batch = { count: 1, amount: '20', currency: 'USD', reason: 'a test' };
    const made = await admin.send('POST /admin/v1/redeem-batches', batch);
    await visit.send('POST /console/api/redeem', { code: made.body.codes[0] });
    // A receipt is no alert.
    expect(plainTextOf(await mailServer.letterTo('new@example.com'))).toContain('20.00 USD');
  });

  test('get a limited number of reset links from the owners of their account', async () => {
    const owner = new Visit(gateway);
    await owner.signIn('new@example.com');
    const email = 'member@example.com';
    const invited = await owner.send('POST /console/api/invitations', { role: 'member', email });
    const newcomer = { email, name: 'Member', password: PASSWORD };
    const token = tokenOf(invited.body.url);
    const joined = await new Visit(gateway).send('POST /console/api/sign-up', {
      ...newcomer,
      token,
    });
    const reset = `/console/api/members/${joined.body.person.id}/reset-link` as const;
    const mailed: unknown[] = [];
    for (let each = 0; each <= MAX_MAILED_RESETS; each++) {
      mailed.push((await owner.send(`POST ${reset}`, {})).body.emailed_to);
    }
    expect(mailed.pop()).toBeNull();
    expect(new Set(mailed)).toEqual(new Set([email]));
    const byAdministrator = `POST /admin/v1/people/${joined.body.person.id}/reset-link`;
    expect((await admin.send(byAdministrator, {})).body.emailed_to).toBe(email);
  });

  test('are refused letters while email is off', async () => {
    const other = await openTestGateway(newFolder());
    const visit = new Visit(other);
    const session = await visit.send('GET /console/api/session');
    expect(session.body.email).toBe(false);
    const asked = await visit.send('POST /console/api/password-reset/mail', {
      email: 'ada@example.com',
    });
    expect([asked.status, asked.body.error.code]).toEqual([403, 'not_allowed']);
    await other.close();
  });
});
