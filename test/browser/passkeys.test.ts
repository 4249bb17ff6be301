/**
 * Tests adding a passkey in the profile and signing in with it, with the browser's virtual
 * authenticator.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { violationsOf } from './support/accessibility.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { overflowOf } from './support/layout.ts';
import { ADA } from './support/people.ts';
import { goTo, settled } from './support/settled.ts';
import { during } from './support/visit.ts';

let installation: Installation;
beforeAll(async () => {
  // Passkeys work only with a host name, not with an IP address.
  installation = await openInstallation({ env: { HOST: 'localhost' } });
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

/**
 * The options of a virtual fingerprint reader, which is built into the device and confirms at once.
 */
const READER = {
  ...({ protocol: 'ctap2', transport: 'internal' } as const),
  ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
  automaticPresenceSimulation: true,
};

const entry = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' });

async function prove(page: Page, submit: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Current password').fill(ADA.password);
  await dialog.getByRole('button', { name: submit, exact: true }).click();
}

/**
 * Signs out while an empty page is open. An open console page would send requests, which would be
 * refused after the sign-out.
 */
async function signOut(page: Page): Promise<void> {
  await page.goto('about:blank');
  await page.request.post('/console/api/sign-out', { data: {} });
  await goTo(page, '/console/sign-in');
}

async function fits(page: Page): Promise<void> {
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await settled(page);
    expect([width, await violationsOf(page), await overflowOf(page)]).toEqual([width, [], []]);
  }
}

test('a passkey is added, signs in, and ends when it is removed', async () => {
  await during(installation.visit(), async (page, { context, expectRefusal }) => {
    expectRefusal(/^400 POST \/console\/api\/sign-in\/passkey\/finish$/);
    const devtools = await context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: READER,
    });
    await goTo(page, '/console/profile');
    await page.getByRole('button', { name: 'Add passkey' }).click();
    const name = page.getByRole('dialog').getByLabel('Name');
    expect(await name.inputValue()).toMatch(/^Chrome/);
    await name.fill('Work laptop');
    await fits(page);
    await prove(page, 'Add passkey');
    await page.getByRole('cell', { name: 'Work laptop', exact: true }).waitFor();
    await fits(page);
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await prove(page, 'Add passkey');
    await page.getByText('This device already has a passkey for you.').waitFor();

    // The virtual authenticator automatically selects the passkey that the browser suggests in the
    // email field.
    await signOut(page);
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.addInitScript(() => {
      // The empty page that `signOut` opens lacks the API for passkeys.
      if (!('PublicKeyCredential' in window)) return;
      PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
    });
    await signOut(page);
    const email = page.getByRole('textbox', { name: 'Email' });
    expect(await email.getAttribute('autocomplete')).toBe('username webauthn');
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await entry(page).click();
    await page.getByText('No passkey was used').waitFor();
    await fits(page);
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
    await entry(page).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();

    await goTo(page, '/console/profile');
    await page.getByRole('button', { name: 'Rename Work laptop' }).click();
    const rename = page.getByRole('dialog', { name: 'Rename passkey' });
    await rename.getByLabel('Name').fill('Laptop');
    await rename.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('cell', { name: 'Laptop', exact: true }).waitFor();
    await fits(page);
    await page.getByRole('button', { name: 'Remove Laptop' }).click();
    await prove(page, 'Remove');
    await page.getByRole('cell', { name: 'Laptop', exact: true }).waitFor({ state: 'detached' });
    await signOut(page);
    await entry(page).click();
    await page.getByText('This passkey is not registered, or was removed').waitFor();
    await devtools.send('WebAuthn.disable');
    await devtools.detach();
  });
});

test('the sign-in page says that a browser without HTTPS keeps no session', async () => {
  await during(installation.visitAsStranger(), async (page) => {
    const note = page.getByText('Open https://models.example instead.');
    await page.route('**/console/api/session', async (route) => {
      const response = await route.fetch();
      const json = { ...(await response.json()), public_url: 'https://models.example' };
      await route.fulfill({ response, json });
    });
    await goTo(page, '/console/sign-in');
    expect(await note.count()).toBe(0);
    // Browsers treat this test's address as secure, as it is `localhost`.
    await page.addInitScript(() =>
      Object.defineProperty(window, 'isSecureContext', { value: false }),
    );
    await goTo(page, '/console/sign-in');
    await note.waitFor();
    await fits(page);
  });
});
