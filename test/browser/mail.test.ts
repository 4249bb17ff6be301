/** Tests email and webhooks in the browser: lost passwords, test emails, delivery logs, alerts. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { plainTextOf, TestMailServer } from '../../src/mail/mail-server.fixture.ts';
import { shippedConfig } from '../support/gateways/gateway-process.ts';
import { violationsOf } from './support/accessibility.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { overflowOf } from './support/layout.ts';
import { goTo, settled } from './support/settled.ts';
import { during } from './support/visit.ts';

let mailServer: TestMailServer;
let installation: Installation;
beforeAll(async () => {
  mailServer = await TestMailServer.open();
  const mail = `{ host: 127.0.0.1, port: ${mailServer.port}, tls: none, from: gate@example.com }`;
  const alerts = '{ account_webhooks: private }';
  const signUp = '{ sign_up: open }';
  const config = `${shippedConfig()}\nmail: ${mail}\nalerts: ${alerts}\nconsole: ${signUp}\n`;
  installation = await openInstallation({ config });
}, OPENING_MS);
afterAll(async () => {
  await installation[Symbol.asyncDispose]();
  await mailServer.close();
});

test('an administrator sends a test, gets a reset link, and it opens', async () => {
  await during(installation.visit(), async (page) => {
    await goTo(page, '/console/admin/mail');
    const to = await page.getByLabel('Recipient').inputValue();
    mailServer.behavior = { code: 554, words: 'the sender is blocked' };
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByRole('status').getByText('the sender is blocked').waitFor();
    mailServer.behavior = 'accept';
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText(`The email was sent to ${to}. The mail server replied:`).waitFor();
    await page.getByRole('button', { name: `Send again ${to}` }).click();
    await page.getByRole('button', { name: `Send again ${to}` }).waitFor({ state: 'detached' });
    await page.getByRole('row').filter({ hasText: 'Test' }).first().waitFor();
    await settled(page);
    expect([await violationsOf(page), await overflowOf(page)]).toEqual([[], []]);
    await goTo(page, '/console/admin/mail?state=queued');
    await page.getByText('No emails with this status').waitFor();

    await goTo(page, '/console/billing?tab=alerts');
    await page.getByRole('button', { name: 'Send a test email' }).click();
    await page.getByText(`The test email was sent to ${to}.`, { exact: true }).waitFor();
    await page.getByText('中文').click();
    await page.getByRole('radio', { name: '中文', checked: true }).waitFor({ state: 'attached' });
    await settled(page);
    expect([await violationsOf(page), await overflowOf(page)]).toEqual([[], []]);

    await during(installation.visitAsStranger(), async (stranger) => {
      mailServer.received.length = 0;
      await goTo(stranger, '/console/sign-in');
      await stranger.getByRole('button', { name: 'Forgot your password?' }).click();
      await stranger.getByLabel('Email address').fill(to);
      await stranger.getByRole('button', { name: 'Send the link' }).click();
      await stranger.getByText('Check your inbox.').waitFor();
      await settled(stranger);
      expect([await violationsOf(stranger), await overflowOf(stranger)]).toEqual([[], []]);
      const text = plainTextOf(await mailServer.letterTo(to));
      expect(text).toContain('设置新密码');
      const [url = ''] = /http\S+#token=\S+/.exec(text) ?? [];
      await stranger.goto(url);
      await stranger.getByText(to).first().waitFor();
    });
  });
});

test('the link that confirms an address creates an account', async () => {
  await during(installation.visitAsStranger(), async (page) => {
    await goTo(page, '/console/sign-up');
    await page.getByLabel('Email address').fill('dev@example.com');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText('Check your inbox.').waitFor();
    const text = plainTextOf(await mailServer.letterTo('dev@example.com'));
    await page.goto(/http\S+#token=\S+/.exec(text)?.[0] ?? '');
    await page.getByRole('heading', { level: 1, name: 'Create your account' }).waitFor();
    await page.getByLabel('Your name').fill('Dev');
    await page.getByRole('textbox', { name: 'Password' }).fill('nine dry moths in a relay');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });
});

test('an owner sets a webhook, tests it, rotates its secret and removes it', async () => {
  let status = 500;
  const receiver = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    fetch: () => new Response('', { status }),
  });
  const host = `127.0.0.1:${receiver.port}`;
  await during(installation.visit(), async (page, { expectRefusal, forget }) => {
    expectRefusal(/^400 PUT .*webhook/);
    forget((problem) => problem.includes('ERR_CONNECTION_RESET'));
    /** Presses a button whose first request is carried out, but whose answer is lost. */
    const loseAnswer = async (path: string, press: () => Promise<void>): Promise<void> => {
      await page.route(
        path,
        async (route) => {
          await route.fetch();
          await route.abort('connectionreset');
        },
        { times: 1 },
      );
      await press();
      await page.getByText(/^Cannot reach the gateway\./).waitFor();
    };
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const confirm = async (action: string): Promise<void> => {
      await button('Webhook actions').click();
      await page.getByRole('menuitem', { name: action }).click();
      await page.getByLabel(`Type ${host} to confirm`).fill(host);
      await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click();
    };
    await goTo(page, '/console/billing?tab=alerts');
    await page.getByLabel('URL').fill('http://hooks.example/alerts');
    await button('Save webhook').click();
    await page.getByText('Enter a public https address without credentials.').waitFor();
    await page.getByLabel('URL').fill(`http://${host}/alerts`);
    await loseAnswer('**/alerts/webhook', () => button('Save webhook').click());
    await button('Save webhook').click();
    await page.getByText(/^whsec_/).waitFor();
    await button('I saved it').click();
    await button('Send a test alert').click();
    await page.getByRole('status').getByText('The receiver answered with status 500.').waitFor();
    status = 204;
    await button('Send a test alert').click();
    await page.getByRole('row').filter({ hasText: 'Delivered' }).waitFor();
    await settled(page);
    expect([await violationsOf(page), await overflowOf(page)]).toEqual([[], []]);
    await loseAnswer('**/alerts/webhook/secret', () => confirm('Rotate secret'));
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByText(/^whsec_/).waitFor();
    const rotations = await page.request.get('/admin/v1/audit?action=account.webhook_rotate');
    expect((await rotations.json()).data).toHaveLength(2);
    await button('I saved it').click();
    await page.getByText(/^Alerts are also signed with the previous secret until/).waitFor();
    await confirm('Remove webhook');
    await button('Webhook actions').waitFor({ state: 'detached' });

    // An administrator can remove the webhook too, not only the account's owner.
    await page.request.put('/console/api/alerts/webhook', { data: { url: `https://${host}/x` } });
    const [account] = (await (await page.request.get('/admin/v1/accounts')).json()).data;
    await goTo(page, `/console/admin/accounts/${account.id}`);
    await button('Remove webhook').click();
    await page.getByLabel(`Type ${host} to confirm`).fill(host);
    expect([await violationsOf(page), await overflowOf(page)]).toEqual([[], []]);
    await page.getByRole('dialog').getByRole('button', { name: 'Remove webhook' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await button('Remove webhook').waitFor({ state: 'detached' });
  });
  await receiver.stop(true);
});
