/** The console's contract: `/openapi.json` as served by the gateway of this checkout. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../src/clock.ts';
import { configSteps, loadConfig } from '../src/config/config.ts';
import { SecretLookup } from '../src/config/document/secret-name.ts';
import { openGateway } from '../src/main/gateway.ts';
import { openLog, RequestLines } from '../src/telemetry/log.ts';

/** The server address in the document. Clients generated from it use their own origin instead. */
const PUBLIC_URL = 'http://localhost:8080';

const SHIPPED_FILE = join(import.meta.dirname, '../modelgate.yaml');
/**
 * Configures a payment provider, because the payment routes exist only if one is configured.
 * Nothing is ever sent to the provider.
 */
const PAYMENTS = `
payments: { stripe: { secret_key: sk_test_none, webhook_secret: whsec_none } }
`;

export type ApiDocument = Readonly<Record<string, unknown>>;

/**
 * Starts a gateway with the shipped configuration in a temporary folder, reads the document and
 * stops it.
 */
export async function apiDocument(): Promise<ApiDocument> {
  const folder = await mkdtemp(join(tmpdir(), 'modelgate-api-'));
  try {
    const path = join(folder, 'modelgate.yaml');
    await writeFile(path, (await readFile(SHIPPED_FILE, 'utf8')) + PAYMENTS);
    const config = loadConfig({ path, env: { MODELGATE_DATA_DIR: folder } });
    const gateway = await openGateway({
      config: { ...config, config: 'file' },
      loadConfig: () => config,
      documents: { ofFile: () => ({}), steps: (stored) => configSteps({ path }, stored) },
      secrets: new SecretLookup(),
      clock: systemClock,
      log: openLog('silent', systemClock).log,
      requestLines: new RequestLines('silent', systemClock),
      version: '0.0.0',
      publicUrl: PUBLIC_URL,
    });
    try {
      const answer = await gateway.edge.fetch(new Request(`${PUBLIC_URL}/openapi.json`));
      return await answer.json();
    } finally {
      await gateway.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
