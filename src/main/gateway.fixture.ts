/**
 * Gateways for tests: the real composition with the default configuration, each in its own folder.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../clock.ts';
import { type Config, loadConfig } from '../config/config.ts';
import { openLog, RequestLines } from '../telemetry/log.ts';
import { type Gateway, openGateway } from './gateway.ts';

export const ADMIN_TOKEN = 'admin-token-of-these-tests';

const folders: string[] = [];

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-main-'));
  folders.push(folder);
  return folder;
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** Returns the default configuration with this data folder and environment. */
export const configFor = (folder: string, env: Record<string, string> = {}): Config =>
  loadConfig({ path: null, env: { MODELGATE_DATA_DIR: folder, ...env } });

export const openTestGateway = (folder: string): Promise<Gateway> =>
  openGatewayOn(configFor(folder, { MODELGATE_ADMIN_TOKEN: ADMIN_TOKEN }));

export const openGatewayOn = (config: Config, publicUrl = 'http://gateway'): Promise<Gateway> =>
  openGateway({
    config,
    loadConfig: () => config,
    clock: systemClock,
    log: openLog('silent', systemClock).log,
    requestLines: new RequestLines('silent', systemClock),
    version: '0.0.0',
    publicUrl,
  });
