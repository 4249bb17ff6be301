/** Tests signing in through an identity provider in the browser. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { ADA, TestProvider } from '../../src/people/oidc/test-provider.fixture.ts';
import { shippedConfig } from '../support/gateways/gateway-process.ts';
import { violationsOf } from './support/accessibility.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { overflowOf } from './support/layout.ts';
import { goTo, settled } from './support/settled.ts';
import { during } from './support/visit.ts';

let provider: TestProvider;
let installation: Installation;
beforeAll(async () => {
  provider = await TestProvider.open();
  const oidc = provider.yaml.replace('allow_private', 'new_people: own_account\n    allow_private');
  installation = await openInstallation({ config: `${shippedConfig()}\n${oidc}` });
  await provider.serve(installation.gateway.url);
}, OPENING_MS);
afterAll(async () => {
  await installation[Symbol.asyncDispose]();
  await provider.close();
});

test('a newcomer signs in, returns to the page, and sees the linked identity', async () => {
  await during(installation.visitAsStranger(), async (page, { context, expectRefusal, forget }) => {
    expectRefusal(/^401 POST \/console\/api\/sign-in\/oidc\/finish$/);
    // Allows requests to the identity provider, the only other site that the page may call.
    forget((problem) => problem.includes(provider.issuer));
    const button = page.getByRole('button', { name: 'Continue with Example SSO' });
    provider.user = { ...ADA, email: 'ada@evil.example' };
    await goTo(page, '/console/profile');
    await button.click();
    await page
      .getByText('Email addresses of your domain cannot be used to sign in here.')
      .waitFor();
    await settled(page);
    expect([await violationsOf(page), await overflowOf(page)]).toEqual([[], []]);
    await shot('refused');
    await page.getByRole('link', { name: 'Back to sign-in' }).click();
    await button.waitFor();
    await settled(page);
    expect([await violationsOf(page), await overflowOf(page)]).toEqual([[], []]);
    for (const scheme of ['light', 'dark'] as const)
      for (const width of [375, 1280]) await shot(`sign-in-${scheme}-${width}`, width, scheme);
    await page.emulateMedia({ colorScheme: 'light' });

    provider.user = { ...ADA, sub: 'grace', email: 'grace@example.com', name: 'Grace Hopper' };
    await goTo(page, '/console/profile');
    await button.click();
    await page.getByText('Linked to Example SSO since').waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/profile');
    await page.getByRole('button', { name: 'Set password' }).waitFor();
    await settled(page);
    await shot('profile');
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor();
    const cookies = await context.cookies();
    expect(cookies.filter(({ name }) => name.includes('provider'))).toEqual([]);

    async function shot(name: string, width = 1280, colorScheme: 'light' | 'dark' = 'light') {
      if (!process.env['SHOTS']) return;
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await settled(page);
      await page.screenshot({ path: `/tmp/oidc/${name}.png`, fullPage: true });
    }
  });
});

test('of two tabs that sign in, the second opens the console, too', async () => {
  await during(installation.visitAsStranger(), async (page, { context, expectRefusal, forget }) => {
    expectRefusal(/^401 POST \/console\/api\/sign-in\/oidc\/finish$/);
    forget((problem) => problem.includes(provider.issuer));
    provider.user = { ...ADA, sub: 'hopper', email: 'hopper@example.com', name: 'Hopper' };
    const second = await context.newPage();
    // The provider answers the second tab when the first one has signed in.
    const { promise: isIn, resolve } = Promise.withResolvers<void>();
    await second.route(
      (url) => url.origin === provider.issuer,
      async (route) => {
        await isIn;
        await route.continue();
      },
    );
    const button = { name: 'Continue with Example SSO' };
    await second.goto('/console/keys');
    await second.getByRole('button', button).click({ noWaitAfter: true });
    await goTo(page, '/console/profile');
    await page.getByRole('button', button).click();
    await page.getByText('Linked to Example SSO since').waitFor();
    resolve();
    await second.getByRole('heading', { name: 'API keys' }).waitFor();
  });
});
