/** For tests: a gateway with its console, an administrator and a browser. */
import { mkdtempSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import {
  type GatewayOptions,
  type GatewayProcess,
  shippedConfig,
} from '../../support/gateways/gateway-process.ts';
import { launchChromium, sharedChromium } from './chromium.ts';
import { startConsoleGateway } from './console-gateway.ts';
import { type PastOptions, writePast } from './past/past.ts';
import { setUp } from './people.ts';
import { closeWindows, openVisit, type Visit, type VisitOptions } from './visit.ts';

/**
 * The time limit for `openInstallation`. Building and starting take seconds, but far more on a busy
 * machine.
 */
export const OPENING_MS = 180_000;

export type InstallationOptions = Pick<GatewayOptions, 'config' | 'env' | 'credit'> & {
  /**
   * Options for past requests that are written before the gateway starts. Default: no past
   * requests.
   */
  readonly past?: Omit<PastOptions, 'folder' | 'configPath'>;
  /** Whether an administrator exists. Default: true. */
  readonly isSetUp?: boolean;
  /**
   * Whether the browser optimizes scripts, as it must for tests that measure its speed. Default:
   * false.
   */
  readonly isMeasured?: boolean;
};

export type Installation = {
  readonly browser: Browser;
  readonly gateway: GatewayProcess;
  /**
   * Opens a browser window in which the administrator, or the person in the options, is signed in.
   */
  readonly visit: (options?: VisitOptions) => Promise<Visit>;
  /** Opens a browser window without a session. */
  readonly visitAsStranger: (options?: VisitOptions) => Promise<Visit>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

export async function openInstallation(options: InstallationOptions = {}): Promise<Installation> {
  const folder = mkdtempSync(join(scratch(), 'modelgate-test-'));
  const { past, config = shippedConfig(), isSetUp = true, isMeasured = false, ...more } = options;
  const configPath = join(folder, 'modelgate.yaml');
  writeFileSync(configPath, config);
  if (past !== undefined) await writePast({ folder, configPath, ...past });
  const [browser, gateway] = await Promise.all([
    isMeasured ? launchChromium(isMeasured) : sharedChromium(),
    startConsoleGateway({ folder, config, ...more }),
  ]);
  const visitAsStranger = (options: VisitOptions = {}) => openVisit(browser, gateway.url, options);
  const session = isSetUp ? { signedInAs: await administrator(visitAsStranger, gateway) } : {};
  return {
    browser,
    gateway,
    visit: (options = {}) => openVisit(browser, gateway.url, { ...session, ...options }),
    visitAsStranger,
    [Symbol.asyncDispose]: async () => {
      await (isMeasured ? browser.close() : closeWindows(browser, gateway.url));
      await gateway[Symbol.asyncDispose]();
    },
  };
}

const IN_MEMORY = '/dev/shm';
const MIN_FREE_BYTES = 2 ** 30;

/**
 * Returns the folder for temporary data. It is in memory if there is enough space, because writing
 * a history of 100,000 requests to disk would take minutes.
 */
function scratch(): string {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize > MIN_FREE_BYTES ? IN_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

async function administrator(visit: Installation['visitAsStranger'], gateway: GatewayProcess) {
  await using first = await visit();
  await setUp(first.context, gateway);
  return await first.context.storageState();
}
